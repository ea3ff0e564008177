// What is expected and what came: which rule a difference breaks, in steps that wait, in batches
// and in single answers.
#include "tests/unit/judge/bench_starve.h"

#define TWO_CALLS "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":8}]"
#define TWO(code)                                                                                  \
    "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":" code "},\"id\":8}]"

#define WAITS(rule)                                                                                \
    "\"rules\":[\"" rule "\"],\"steps\":[{\"send\":" CALL                                          \
    "},{\"receive\":[{\"id\":7,\"error\":{}}],\"order\":\"any\"}]"
#define TWICE(rule, verdict)                                                                       \
    {                                                                                              \
        "under " rule, WAITS(rule), {ANSWER, "@1 " ANSWER}, verdict                                \
    }
#define MISSING(rule, verdict)                                                                     \
    {                                                                                              \
        "a missing one under " rule, WAITS(rule), {NULL}, verdict                                  \
    }
#define WITH_ID_NULL(rule, verdict)                                                                \
    {                                                                                              \
        "one with the id null under " rule, WAITS(rule), {NOT_FOUND("null")}, verdict              \
    }
#define OF_NOBODY(rule, verdict)                                                                   \
    {                                                                                              \
        "one of nobody under " rule, WAITS(rule), {ANSWER, "@1 " ERROR_ANSWER("-32600", "null")},  \
            verdict                                                                                \
    }

static void a_second_answer_to_one_call(void **state)
{
    (void)state;
    static const row rows[] = {
        TWICE("X-must", "fail* X-must/M@1"),
        MISSING("X-must", "fail* X-must/M@1"),
        WITH_ID_NULL("X-must", "fail* J2-4e/M@1"),
        OF_NOBODY("X-must", "fail* X-must/M@1"),
        TWICE("J2-4.1a", "fail* J2-5a/M@1"),
        MISSING("J2-4.1a", "fail* J2-5a/M@1"),
        WITH_ID_NULL("J2-4.1a", "fail* J2-4e/M@1"),
        OF_NOBODY("J2-4.1a", "fail* J2-4.1a/M@1"),
        TWICE("J2-4.1d", "fail* J2-5a/M@1"),
        MISSING("J2-4.1d", "fail* J2-5a/M@1"),
        WITH_ID_NULL("J2-4.1d", "fail* J2-4e/M@1"),
        OF_NOBODY("J2-4.1d", "fail* J2-4.1d/M@1"),
        TWICE("J2-6a", "fail* J2-5a/M@1"),
        MISSING("J2-6a", "warn J2-6a/S@1"),
        WITH_ID_NULL("J2-6a", "fail* J2-4e/M@1"),
        OF_NOBODY("J2-6a", "warn J2-6a/S@1"),
        TWICE("CON-a", "fail* J2-5a/M@1"),
        MISSING("CON-a", "fail* CON-a/M@1"),
        WITH_ID_NULL("CON-a", "fail* J2-4e/M@1"),
        OF_NOBODY("CON-a", "fail* CON-a/M@1"),
        {"a notification beside it",
         WAITS("X-must"),
         {ANSWER, "@1 {\"jsonrpc\":\"2.0\",\"method\":\"x\"}"},
         "pass"},
        {"a Response without an id beside it",
         WAITS("X-must"),
         {ANSWER, "@1 {\"jsonrpc\":\"2.0\",\"result\":1}"},
         "fail* J2-5f/M@1"},
        {"the connection closes in its place",
         WAITS("X-must"),
         {NULL},
         "fail* X-must/M@1 connection=closed",
         END_CLOSED},
        {"the process ends in its place", WAITS("X-must"), {NULL}, "crash* SEC-l/M@1", END_EXITED},
        {"the process leaves in its place",
         WAITS("X-must"),
         {NULL},
         "ended* X-must/M@1",
         END_ORDERLY},
        {"an error in place of a result",
         "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL
         "},{\"receive\":[{\"id\":7,\"result\":{\"$any\":true}}],\"order\":\"any\"}]",
         {ANSWER},
         "fail* X-must/M@1"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define ONE_THEN_OTHER                                                                             \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL ",\"expect\":" UNKNOWN                     \
    "},{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":8},\"expect\":" UNKNOWN "}]"

#define OWN_IDS                                                                                    \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\","   \
    "\"id\":"                                                                                      \
    "\"${id.a}\"},\"expect\":" UNKNOWN "},{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}"   \
    "\",\"id\":\"${id.b}\"},\"expect\":" UNKNOWN "}]"

// The answer to an earlier call in the place of that to the next one is one difference, not two.
static void an_earlier_answer_in_the_place_of_the_next_one(void **state)
{
    (void)state;
    static const row rows[] = {
        {"each call has its own", ONE_THEN_OTHER, {ANSWER, "@1 " NOT_FOUND("8")}, "pass"},
        {"the first answer again, alone",
         ONE_THEN_OTHER,
         {ANSWER, "@1 " ANSWER},
         "fail* J2-4e/M@1"},
        {"… with an id that no other call could have",
         OWN_IDS,
         {NOT_FOUND("$ID.a"), "@1 " NOT_FOUND("$ID.a")},
         "fail* J2-5a/M@1"},
        {"… and the right one",
         ONE_THEN_OTHER,
         {ANSWER, "@1 " ANSWER, "@1 " NOT_FOUND("8")},
         "fail* J2-5a/M@1"},
        {"… and a wrong one",
         ONE_THEN_OTHER,
         {ANSWER, "@1 " ANSWER, "@1 " ERROR_ANSWER("-32603", "8")},
         "fail* J2-5a/M@1 X-must/M@1"},
        {"nothing", ONE_THEN_OTHER, {ANSWER}, "fail* X-must/M@1"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define RISING                                                                                     \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL                                            \
    "},{\"receive\":[{\"method\":\"p\",\"$times\":[0,"                                             \
    "\"*\"],\"$rising\":\"/params/n\"},{\"id\":7,\"error\":{}}],\"order\":\"any\"}]"
#define STEP(n) "@1 {\"jsonrpc\":\"2.0\",\"method\":\"p\",\"params\":{\"n\":" n "}}"
static void numbers_that_rise(void **state)
{
    (void)state;
    static const row rows[] = {
        {"they do", RISING, {STEP("1"), STEP("2"), STEP("2.5"), "@1 " ANSWER}, "pass"},
        {"two are equal", RISING, {STEP("1"), STEP("1.0"), "@1 " ANSWER}, "fail* X-must/M@1"},
        {"one falls", RISING, {STEP("1"), STEP("3"), STEP("2"), "@1 " ANSWER}, "fail* X-must/M@1"},
        {"one is a String", RISING, {STEP("1"), STEP("\"0\""), STEP("2"), "@1 " ANSWER}, "pass"},
        {"one is missing", RISING, {STEP("5"), "@1 " ANSWER}, "pass"},
        {"far apart", RISING, {STEP("1"), STEP("1e400"), STEP("2e400"), "@1 " ANSWER}, "pass"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define BATCH_OR_REFUSED                                                                           \
    SEND("\"X-must\"", TWO_CALLS,                                                                  \
         "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"    \
                                                  "\"as\":\"warn\",\"rule\":\"X-should\"}]}")

static void a_batch_among_alternatives(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the whole Array", BATCH_OR_REFUSED, {"[" ANSWER "," NOT_FOUND("8") "]"}, "pass"},
        {"an Array that lacks one", BATCH_OR_REFUSED, {"[" ANSWER "]"}, "warn J2-6b/S"},
        {"one Response", BATCH_OR_REFUSED, {ANSWER}, "warn J2-6a/S J2-6b/S"},
        {"both without an Array", BATCH_OR_REFUSED, {ANSWER, NOT_FOUND("8")}, "warn J2-6a/S"},
        {"refused as a whole",
         BATCH_OR_REFUSED,
         {ERROR_ANSWER("-32600", "null")},
         "warn X-should/S"},
        {"refused as a whole by another error",
         BATCH_OR_REFUSED,
         {ERROR_ANSWER("-32603", "null")},
         "fail* X-must/M"},
        {"an Array with one too many",
         BATCH_OR_REFUSED,
         {"[" ANSWER "," NOT_FOUND("8") "," NOT_FOUND("8") "]"},
         "warn J2-6b/S"},
        {"a wrong code",
         BATCH_OR_REFUSED,
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* X-must/M"},
        {"nothing", BATCH_OR_REFUSED, {NULL}, "fail* X-must/M"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

// The second of two calls, answered with -32603 where another code is owed.
#define OWED(rule, code, verdict)                                                                  \
    "under " rule ", where " code " is owed", SEND("\"" rule "\"", TWO_CALLS, TWO(code)),          \
        {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"}, verdict
#define ONE_INVALID                                                                                \
    SEND("\"X-must\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}]",                   \
         "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32600},\"id\":{\"$in\":["  \
         "8,null]}}]")

static void one_element_of_a_batch(void **state)
{
    (void)state;
    static const row rows[] = {
        {OWED("X-must", "-32601", "fail* X-must/M")},
        {OWED("X-must", "-32602", "fail* X-must/M")},
        {OWED("X-must", "-32600", "fail* J2-6g/M")},
        {OWED("X-must", "-32000", "fail* X-must/M")},
        {OWED("J2-7", "-32601", "fail* J2-7/M")},
        {OWED("J2-7", "-32602", "fail* J2-7/M")},
        {OWED("J2-7", "-32600", "fail* J2-7/M")},
        {OWED("J2-7", "-32000", "fail* J2-7/M")},
        {OWED("J2-6i", "-32601", "fail* J2-6i/M")},
        {OWED("J2-6i", "-32602", "fail* J2-6i/M")},
        {OWED("J2-6i", "-32600", "fail* J2-6i/M")},
        {OWED("J2-6i", "-32000", "fail* J2-6i/M")},
        {OWED("J2-6b", "-32601", "fail* J2-5.1f/M")},
        {OWED("J2-6b", "-32602", "fail* J2-5.1g/M")},
        {OWED("J2-6b", "-32600", "fail* J2-6g/M")},
        {OWED("J2-6b", "-32000", "warn J2-6b/S")},
        {OWED("J2-5a", "-32601", "fail* J2-5.1f/M")},
        {OWED("J2-5a", "-32602", "fail* J2-5.1g/M")},
        {OWED("J2-5a", "-32600", "fail* J2-6g/M")},
        {OWED("J2-5a", "-32000", "fail* J2-5a/M")},
        {OWED("J2-4.1a", "-32601", "fail* J2-5.1f/M")},
        {OWED("J2-4.1a", "-32602", "fail* J2-5.1g/M")},
        {OWED("J2-4.1a", "-32600", "fail* J2-6g/M")},
        {OWED("J2-4.1a", "-32000", "fail* J2-4.1a/M")},
        {OWED("OWN-must", "-32601", "fail* OWN-must/M"), .suite = "own"},
        {OWED("OWN-must", "-32602", "fail* OWN-must/M"), .suite = "own"},
        {OWED("OWN-must", "-32600", "fail* OWN-must/M"), .suite = "own"},
        {OWED("OWN-must", "-32000", "fail* OWN-must/M"), .suite = "own"},
        {"a result in place of an error",
         SEND("\"X-must\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER ",{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":8}]"},
         "fail* X-must/M"},
        {"an invalid one is refused",
         ONE_INVALID,
         {"[" ANSWER "," ERROR_ANSWER("-32600", "null") "]"},
         "pass"},
        {"an invalid one is refused with its id",
         ONE_INVALID,
         {"[" ANSWER "," ERROR_ANSWER("-32600", "8") "]"},
         "pass"},
        {"an invalid one is served",
         ONE_INVALID,
         {"[" ANSWER ","
          "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":8}"
          "]"},
         "fail* J2-6g/M"},
        {"an invalid one is answered with another code",
         ONE_INVALID,
         {"[" ANSWER "," ERROR_ANSWER("-32601", "8") "]"},
         "fail* J2-6g/M"},
        {"an invalid one gets the id of nobody",
         ONE_INVALID,
         {"[" ANSWER "," ERROR_ANSWER("-32601", "9") "]"},
         "fail* J2-6g/M J2-6b/S"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_answer_to_one_call),
        cmocka_unit_test(an_earlier_answer_in_the_place_of_the_next_one),
        cmocka_unit_test(numbers_that_rise),
        cmocka_unit_test(a_batch_among_alternatives),
        cmocka_unit_test(one_element_of_a_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
