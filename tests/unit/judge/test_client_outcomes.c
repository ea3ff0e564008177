// What the caller of a client sees, and what the time of each message shows.
#include "tests/unit/judge/client_bench.h"

// The second of two calls gets an error before the first gets its result.
#define OVERTAKEN(second_report, first_report)                                                     \
    {                                                                                              \
        CALL_ONE, CALL_TWO("2"),                                                                   \
            AT(4, 4, "! " SAY("\"error\":{\"code\":22,\"message\":\"second fails\"},\"id\":2")),   \
            AT(5, 5, second_report), AT(6, 6, ANSWER("1", "\"first\"")), AT(7, 7, first_report)    \
    }
// A call that is answered with an error whose data is null.
#define DATA_NULL(report)                                                                          \
    EXCHANGE(COMMAND("1", "fail"), REQUEST("7", "fail", "[1]"),                                    \
             "! " SAY("\"error\":{\"code\":7,\"message\":\"m\",\"data\":null},\"id\":7"), report)

static void what_the_caller_sees(void **state)
{
    (void)state;
    static const row rows[] = {
        {"each gets its own", "client-order/error-overtakes",
         OVERTAKEN(REPORT("2", "\"error\":{\"code\":22,\"message\":\"second fails\"}"),
                   RESULT("1", "\"first\"")),
         "pass"},
        {"a further member of an error", "client-order/error-overtakes",
         OVERTAKEN(REPORT("2", "\"error\":{\"code\":22,\"message\":\"x\",\"data\":1}"),
                   RESULT("1", "\"first\"")),
         "pass"},
        {"another code", "client-order/error-overtakes",
         OVERTAKEN(REPORT("2", "\"error\":{\"code\":23,\"message\":\"second fails\"}"),
                   RESULT("1", "\"first\"")),
         "warn CL-11"},
        {"the answer to the other call", "client-order/error-overtakes",
         OVERTAKEN(RESULT("2", "\"first\""), RESULT("1", "\"first\"")), "warn CL-11"},
        {"a failure in place of an error", "client-order/error-overtakes",
         OVERTAKEN(REPORT("2", "\"failed\":\"x\""), RESULT("1", "\"first\"")), "warn CL-11"},
        {"a result that cannot be written", "client-order/error-overtakes",
         OVERTAKEN(REPORT("2", "\"error\":{\"code\":22}"), REPORT("1", "\"unwritable\":\"first\"")),
         "warn CL-11"},
        {"a line that says nothing", "client-order/error-overtakes",
         OVERTAKEN(REPORT("2", "\"error\":{\"code\":22}"), REPORT("1", "\"x\":1")), "warn CL-11"},
        {"answers that are swapped", "client-id/of-its-own",
         THREE_AT_ONCE("2", "3", RESULT("1", "\"second\""), RESULT("2", "\"first\"")),
         "warn CL-11 CL-11"},
        {"one answer for two calls", "client-id/of-its-own",
         THREE_AT_ONCE("2", "3", RESULT("1", "\"third\""), RESULT("2", "\"second\"")),
         "warn CL-11"},
        {"a result that nobody sent", "client-id/of-its-own",
         THREE_AT_ONCE("2", "3", RESULT("1", "\"fourth\""), RESULT("2", "\"second\"")),
         "warn CL-12"},
        {"true shows nothing about its call", "client-id/of-its-own",
         THREE_AT_ONCE("2", "3", RESULT("1", "true"), RESULT("2", "\"second\"")), "warn CL-12"},
        {"data that is null", "client-error/data-null",
         DATA_NULL(REPORT("1", "\"error\":{\"code\":7,\"message\":\"m\",\"data\":null}")),
         "observe CL-13=null"},
        {"data that is left out", "client-error/data-null",
         DATA_NULL(REPORT("1", "\"error\":{\"code\":7,\"message\":\"m\"}")),
         "observe CL-13=left out"},
        {"data that became a String", "client-error/data-null",
         DATA_NULL(REPORT("1", "\"error\":{\"code\":7,\"message\":\"m\",\"data\":\"null\"}")),
         "warn CL-13"},
        {"a value that is refused before anything is written",
         "client-params/huge",
         {{0, 0, COMMAND("1", "take")}, {3, 3, REPORT("1", "\"failed\":\"no such number\"")}},
         "pass CL-7=refused"},
        {"a call whose Request cannot be named, refused",
         "client-call/result",
         {{0, 0, SUBTRACT}, {3, 3, REPORT("1", "\"failed\":\"x\"")}},
         "warn CLR-4"},
    };
    JUDGE_ALL(rows);
}

// A call times out, and the next one is asked for.
#define TIMES_OUT AT(401, 2, FAILED("1"))
#define CALL_NEXT AT(402, 3, COMMAND("2", "two")), AT(403, 4, REQUEST("2", "two", "[2]"))
#define ANSWER_NEXT AT(404, 5, ANSWER("2", "\"next\""))
#define NEXT_WORKS CALL_NEXT, ANSWER_NEXT, AT(405, 6, RESULT("2", "\"next\""))
#define CLOSE AT(2, 2, "> {\"do\":\"close\",\"tag\":2}")

static void what_time_shows(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a call that is not answered times out",
         "client-timeout/no-answer",
         {CALL_ONE, TIMES_OUT, NEXT_WORKS},
         "pass"},
        {"a call that is not answered ends with a result",
         "client-timeout/no-answer",
         {CALL_ONE, {5, 2, RESULT("1", "1")}, NEXT_WORKS},
         "warn CLR-5"},
        {"the next call fails as well",
         "client-timeout/no-answer",
         {CALL_ONE, TIMES_OUT, CALL_NEXT, ANSWER_NEXT, {405, 6, FAILED("2")}},
         "warn CLR-5"},
        {"the next call fails, as the client has closed the connection",
         "client-timeout/no-answer",
         {CALL_ONE, TIMES_OUT, CALL_NEXT, ANSWER_NEXT, {405, 6, FAILED("2")}},
         "pass CLR-5=closes the connection",
         CLIENT_LEFT},
        {"the next call times out although it is answered",
         "client-timeout/no-answer",
         {CALL_ONE, TIMES_OUT, CALL_NEXT, ANSWER_NEXT, {803, 6, FAILED("2")}},
         "warn CLR-5 CLR-9"},
        {"… after the client has closed the connection",
         "client-timeout/no-answer",
         {CALL_ONE, TIMES_OUT, CALL_NEXT, ANSWER_NEXT, {803, 6, FAILED("2")}},
         "pass CLR-5=closes the connection",
         CLIENT_LEFT},
        {"… and calls do not time out",
         "client-timeout/no-answer",
         {CALL_ONE, TIMES_OUT, CALL_NEXT, ANSWER_NEXT, {803, 6, FAILED("2")}},
         "warn CLR-5",
         CLIENT_GOES_ON,
         -1},
        {"… with an answer that came late",
         "client-timeout/no-answer",
         {CALL_ONE, TIMES_OUT, CALL_NEXT, {790, 5, ANSWER("2", "\"next\"")}, {803, 6, FAILED("2")}},
         "warn CLR-5"},
        {"… with two answers",
         "client-timeout/no-answer",
         {CALL_ONE,
          TIMES_OUT,
          CALL_NEXT,
          ANSWER_NEXT,
          {405, 5, "! " SAY("\"id\":2")},
          {803, 6, FAILED("2")}},
         "warn CLR-5"},
        {"it times out while other messages come",
         "client-timeout/others-answered",
         {CALL_ONE, TIMES_OUT, NEXT_WORKS},
         "pass"},
        {"closing ends the call",
         "client-close/under-way",
         {CALL_ONE, CLOSE, {3, 3, FAILED("1")}, {4, 4, RESULT("2", "null")}},
         "pass"},
        {"closing does not end the call",
         "client-close/under-way",
         {CALL_ONE, CLOSE, {4, 4, RESULT("2", "null")}},
         "warn CLR-8"},
        {"closing never ends",
         "client-close/under-way",
         {CALL_ONE, CLOSE, {3, 3, FAILED("1")}},
         "warn CLR-4"},
        {"a call waits for one that fails",
         "client-id/of-its-own",
         {CALL_ONE,
          {2, 2, COMMAND("2", "two")},
          {401, 2, FAILED("1")},
          {402, 3, REQUEST("2", "two", "[2]")},
          {410, 9, FAILED("2")},
          {411, 4, COMMAND("3", "three")},
          {412, 5, REQUEST("3", "three", "[3]")},
          {413, 8, ANSWER("3", "\"third\"")},
          {414, 11, RESULT("3", "\"third\"")}},
         "pass calls=one at a time"},
        {"a call with the id of another one fails", "client-id/of-its-own",
         THREE_AT_ONCE("1", "3", RESULT("1", "\"first\""), REPORT("2", "\"failed\":\"what\"")),
         "warn CL-5 CL-5"},
        {"a call waits for one that was answered and fails",
         "client-id/of-its-own",
         {CALL_ONE,
          {2, 2, COMMAND("2", "two")},
          {3, 6, ANSWER("1", "\"first\"")},
          {401, 2, FAILED("1")},
          {402, 3, REQUEST("2", "two", "[2]")},
          {404, 7, ANSWER("2", "\"second\"")},
          {410, 10, RESULT("2", "\"second\"")},
          {411, 4, COMMAND("3", "three")},
          {412, 5, REQUEST("3", "three", "[3]")},
          {413, 8, ANSWER("3", "\"third\"")},
          {414, 11, RESULT("3", "\"third\"")}},
         "warn CL-12 CLR-9"},
    };
    JUDGE_ALL(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_caller_sees),
        cmocka_unit_test(what_time_shows),
    };
    return cmocka_run_group_tests(tests, load_suite, free_suite);
}
