// The judge on clients: calls one after the other, numbers, and several calls at once.
#include "tests/unit/judge/client_bench.h"

static void one_call(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a right call", "client-call/result",
         EXCHANGE(SUBTRACT, REQUEST("7", "subtract", "[42,23]"), ANSWER("7", "19"),
                  RESULT("1", "19")),
         "pass"},
        {"another result than the server's", "client-call/result",
         EXCHANGE(SUBTRACT, REQUEST("7", "subtract", "[42,23]"), ANSWER("7", "19"),
                  RESULT("1", "20")),
         "warn CLR-4"},
        {"no version, and params that were not asked for", "client-call/result",
         EXCHANGE(SUBTRACT, "? {\"method\":\"subtract\",\"params\":[[42,23]],\"id\":7}",
                  ANSWER("7", "19"), RESULT("1", "19")),
         "fail CL-1 CL-3"},
        {"the driver never reports what came of the call",
         "client-call/result",
         {{0, 0, SUBTRACT}, {1, 1, REQUEST("7", "subtract", "[42,23]")}, {2, 2, ANSWER("7", "19")}},
         "warn CLR-4"},
        {"a call that was answered at once, and timed out",
         "client-call/result",
         {{0, 0, SUBTRACT},
          {1, 1, REQUEST("7", "subtract", "[42,23]")},
          {2, 2, ANSWER("7", "19")},
          {390, 3, FAILED("1")}},
         "warn CLR-4 CLR-9"},
        {"the Request comes twice",
         "client-call/result",
         {{0, 0, SUBTRACT},
          {1, 1, REQUEST("7", "subtract", "[42,23]")},
          {1, 1, REQUEST("8", "subtract", "[42,23]")},
          {2, 2, ANSWER("7", "19")},
          {3, 3, RESULT("1", "19")}},
         "warn CL-9"},
    };
    JUDGE_ALL(rows);
}

static void numbers(void **state)
{
    (void)state;
    static const row rows[] = {
        {"all digits of a double are the number of the caller", "client-params/fraction",
         TAKE("[1.5,0.10000000000000001]"), "pass"},
        {"they may be written with an exponent and no decimal point", "client-params/fraction",
         TAKE("[1.5,10000000000000000555e-20]"), "pass"},
        {"… with a capital E", "client-params/fraction", TAKE("[1.5,10000000000000000555E-20]"),
         "pass"},
        {"a number that no double holds is another one", "client-params/fraction",
         TAKE("[1.5,1e400]"), "warn CL-3v"},
        {"a digit fewer is another one", "client-params/fraction", TAKE("[1.5,0.1000000000000001]"),
         "warn CL-3v"},
        {"an integer is exact, however it is written", "client-params/beyond-double",
         TAKE("[9007199254740992.0]"), "warn CL-3v"},
        {"digits in a String are no number", "client-params/one-string", TAKE("[\"x\\\"0.1\"]"),
         "warn CL-3v"},
        {"a result with all digits of its double", "client-result/small-fraction",
         EXCHANGE(COMMAND("1", "get"), REQUEST("7", "get", "[1]"), ANSWER("7", "0.000001"),
                  RESULT("1", "9.9999999999999995e-07")),
         "pass"},
    };
    JUDGE_ALL(rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        judge_starved(&rows[i]);
    }
}

#define TWO COMMAND("2", "two")
#define THREE COMMAND("3", "three")
// The answers come when the first two calls have timed out.
#define LATE_ANSWERS                                                                               \
    AT(805, 6, ANSWER("1", "\"first\"")), AT(806, 7, ANSWER("2", "\"second\"")),                   \
        AT(807, 8, ANSWER("3", "\"third\"")), AT(808, 11, RESULT("3", "\"third\""))

static void several_calls(void **state)
{
    (void)state;
    static const row rows[] = {
        {"three calls under way at once", "client-id/of-its-own",
         THREE_AT_ONCE("2", "3", RESULT("1", "\"first\""), RESULT("2", "\"second\"")), "pass"},
        {"two of them with one id", "client-id/of-its-own",
         THREE_AT_ONCE("2", "2", RESULT("1", "\"first\""), RESULT("2", "\"second\"")), "warn CL-5"},
        {"each waits until the one before it has timed out",
         "client-id/of-its-own",
         {CALL_ONE,
          {2, 2, TWO},
          {401, 2, FAILED("1")},
          {402, 3, REQUEST("2", "two", "[2]")},
          {403, 4, THREE},
          {803, 4, FAILED("2")},
          {804, 5, REQUEST("3", "three", "[3]")},
          LATE_ANSWERS},
         "pass calls=one at a time"},
        {"… and the time-outs are reported a little after the next Request has come",
         "client-id/of-its-own",
         {CALL_ONE,
          {2, 2, TWO},
          {401, 3, REQUEST("2", "two", "[2]")},
          {402, 3, FAILED("1")},
          {403, 4, THREE},
          {803, 5, REQUEST("3", "three", "[3]")},
          {804, 5, FAILED("2")},
          LATE_ANSWERS},
         "pass calls=one at a time"},
    };
    JUDGE_ALL(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_call),
        cmocka_unit_test(numbers),
        cmocka_unit_test(several_calls),
    };
    return cmocka_run_group_tests(tests, load_suite, free_suite);
}
