// The judge on clients: recorded exchanges of real cases, and what is found in them.
#include "harness/judge/client.h"
#include "harness/judge/judge.h"
#include "harness/suite/variables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ARENA_BYTES ((size_t)1 << 24)
enum { LINES_MAX = 16, CALL_MS = 400 };

// A line of a record: when and in which step; "> " a command for the driver, "< " what it reports,
// "? " what the client writes, "! " what it gets.
typedef struct line {
    int ms, step;
    const char *text;
} line;

typedef struct row {
    const char *name; // a sentence: what holds
    const char *test_case;
    line lines[LINES_MAX];
    const char *verdict; // the outcome, then each finding as " RULE"; " one-at-a-time"
} row;

static jck_suite *suite; // of all tests: loading it takes longer than they do

static int load_suite(void **state)
{
    (void)state;
    jrpc_error error = {.code = JRPC_OK};
    suite = jck_suite_load("cases", NULL, NULL, &error);
    return suite == NULL;
}

static int free_suite(void **state)
{
    (void)state;
    jck_suite_free(suite);
    return 0;
}

static void record(jck_evidence *evidence, const line *heard)
{
    const char *text = heard->text + 2;
    bool of_driver = heard->text[0] == '>' || heard->text[0] == '<';
    bool sent = heard->text[0] == '>' || heard->text[0] == '!';
    assert_true(of_driver || sent || heard->text[0] == '?');
    const jck_message message = {.direction = sent ? JCK_SENT : JCK_RECEIVED,
                                 .role = of_driver ? JCK_MESSAGE_OF_DRIVER : JCK_MESSAGE_OF_CASE,
                                 .connection = of_driver ? '-' : 'a',
                                 .step = heard->step,
                                 .at_us = (int64_t)heard->ms * 1000,
                                 .bytes = jrpc_slice_str(text),
                                 .true_len = strlen(text)};
    assert_true(jck_evidence_add(evidence, &message));
}

// Spells a verdict.
static const char *spell(const jck_verdict *verdict, jrpc_arena *arena)
{
    const char *text = jck_outcome_name(verdict->outcome);
    for (size_t i = 0; i < verdict->findings.count; i++) {
        jrpc_slice rule = verdict->findings.items[i].rule;
        text = jrpc_arena_printf(arena, "%s %.*s", text, (int)rule.len, rule.ptr);
    }
    bool alone =
        jck_has_observed(&verdict->findings, JCK_OBSERVED_CALLS, JCK_OBSERVED_ONE_AT_A_TIME);
    return alone ? jrpc_arena_printf(arena, "%s one-at-a-time", text) : text;
}

static bool judge(const row *wanted)
{
    jrpc_arena arena;
    jck_evidence evidence;
    jck_variables variables;
    jck_verdict verdict;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    const jck_case *test_case = jck_suite_find_case(suite, jrpc_slice_str(wanted->test_case));
    assert_non_null(test_case);
    assert_true(jck_evidence_init(&evidence, &arena, test_case->step_count));
    jck_variables_init(&variables, &arena, NULL, 1, 1);
    evidence.call_us = (int64_t)CALL_MS * 1000;
    for (size_t i = 0; i < test_case->step_count; i++) {
        evidence.settled[i] = JCK_SETTLED;
    }
    for (size_t i = 0; i < LINES_MAX && wanted->lines[i].text != NULL; i++) {
        record(&evidence, &wanted->lines[i]);
    }
    jck_judge(suite, test_case, &variables, &evidence, NULL, &arena, &verdict);
    const char *got = spell(&verdict, &arena);
    bool same = strcmp(got, wanted->verdict) == 0;
    if (!same) {
        print_error("%s: expected %s, got %s\n", wanted->name, wanted->verdict, got);
    }
    jrpc_arena_done(&arena);
    return same;
}

static void judge_all(const row *rows, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        wrong += !judge(&rows[i]);
    }
    assert_int_equal(wrong, 0);
}

#define COMMAND(tag, method) "> {\"do\":\"call\",\"tag\":" tag ",\"method\":\"" method "\"}"
#define REQUEST(id, method, params)                                                                \
    "? {\"jsonrpc\":\"2.0\",\"method\":\"" method "\",\"params\":" params ",\"id\":" id "}"
#define ANSWER(id, result) "! {\"jsonrpc\":\"2.0\",\"result\":" result ",\"id\":" id "}"
#define RESULT(tag, result) "< {\"tag\":" tag ",\"result\":" result "}"
#define FAILED(tag) "< {\"tag\":" tag ",\"failed\":\"time-out\"}"

// One call: the command, the Request, its answer, and what the driver reports.
#define EXCHANGE(command, request, answer, report)                                                 \
    {                                                                                              \
        {0, 0, command}, {1, 1, request}, {2, 2, answer},                                          \
        {                                                                                          \
            3, 3, report                                                                           \
        }                                                                                          \
    }

#define SUBTRACT COMMAND("1", "subtract")

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
    judge_all(rows, sizeof rows / sizeof *rows);
}

// A call of `take` whose Request has these params; it works whatever they are.
#define TAKE(params)                                                                               \
    EXCHANGE(COMMAND("1", "take"), REQUEST("7", "take", params), ANSWER("7", "\"taken\""),         \
             RESULT("1", "\"taken\""))

static void numbers(void **state)
{
    (void)state;
    static const row rows[] = {
        {"all digits of a double are the number of the caller", "client-params/fraction",
         TAKE("[1.5,0.10000000000000001]"), "pass"},
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
    judge_all(rows, sizeof rows / sizeof *rows);
}

#define ONE COMMAND("1", "one")
#define TWO COMMAND("2", "two")
#define THREE COMMAND("3", "three")
// Three calls, of which the last has an id of its own or not.
#define THREE_AT_ONCE(last_id)                                                                     \
    {                                                                                              \
        {0, 0, ONE}, {1, 1, REQUEST("1", "one", "[1]")}, {2, 2, TWO},                              \
            {3, 3, REQUEST("2", "two", "[2]")}, {4, 4, THREE},                                     \
            {5, 5, REQUEST(last_id, "three", "[3]")}, {6, 6, ANSWER("1", "\"first\"")},            \
            {7, 7, ANSWER("2", "\"second\"")}, {8, 8, ANSWER(last_id, "\"third\"")},               \
            {9, 9, RESULT("1", "\"first\"")}, {9, 10, RESULT("2", "\"second\"")},                  \
        {                                                                                          \
            9, 11, RESULT("3", "\"third\"")                                                        \
        }                                                                                          \
    }
// The answers come when the first two calls have timed out.
#define LATE_ANSWERS                                                                               \
    {805, 6, ANSWER("1", "\"first\"")}, {806, 7, ANSWER("2", "\"second\"")},                       \
        {807, 8, ANSWER("3", "\"third\"")},                                                        \
    {                                                                                              \
        808, 11, RESULT("3", "\"third\"")                                                          \
    }

static void several_calls(void **state)
{
    (void)state;
    static const row rows[] = {
        {"three calls under way at once", "client-id/of-its-own", THREE_AT_ONCE("3"), "pass"},
        {"two of them with one id", "client-id/of-its-own", THREE_AT_ONCE("2"), "warn CL-5"},
        {"each waits until the one before it has timed out",
         "client-id/of-its-own",
         {{0, 0, ONE},
          {1, 1, REQUEST("1", "one", "[1]")},
          {2, 2, TWO},
          {401, 2, FAILED("1")},
          {402, 3, REQUEST("2", "two", "[2]")},
          {403, 4, THREE},
          {803, 4, FAILED("2")},
          {804, 5, REQUEST("3", "three", "[3]")},
          LATE_ANSWERS},
         "pass one-at-a-time"},
        {"… and the time-outs are reported a little after the next Request has come",
         "client-id/of-its-own",
         {{0, 0, ONE},
          {1, 1, REQUEST("1", "one", "[1]")},
          {2, 2, TWO},
          {401, 3, REQUEST("2", "two", "[2]")},
          {402, 3, FAILED("1")},
          {403, 4, THREE},
          {803, 5, REQUEST("3", "three", "[3]")},
          {804, 5, FAILED("2")},
          LATE_ANSWERS},
         "pass one-at-a-time"},
    };
    judge_all(rows, sizeof rows / sizeof *rows);
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
