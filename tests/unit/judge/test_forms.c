// What is expected and what came: which rule a difference breaks, in steps that wait, in batches
// and in single answers.
#include "tests/unit/judge/bench.h"

#define SEND(rules, send, expect) "\"rules\":[" rules "],\"send\":" send ",\"expect\":" expect
#define TWO_CALLS "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":8}]"
#define TWO(code)                                                                                  \
    "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":" code "},\"id\":8}]"
#define A8 ERROR_ANSWER("-32601", "8")

#define WAITS(rules)                                                                               \
    "\"rules\":[" rules "],\"steps\":[{\"send\":" CALL "},{\"receive\":[{\"id\":7,\"error\":{}}]," \
    "\"order\":\"any\"}]"
static void a_second_answer_to_one_call(void **state)
{
    (void)state;
    static const row rows[] = {
        {"under X-must", WAITS("\"X-must\""), {ANSWER, "@1 " ANSWER}, "fail* X-must/M@1"},
        {"a missing one under X-must", WAITS("\"X-must\""), {NULL}, "fail* X-must/M@1"},
        {"one with the id null under X-must",
         WAITS("\"X-must\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M@1"},
        {"one of nobody under X-must",
         WAITS("\"X-must\""),
         {ANSWER, "@1 " ERROR_ANSWER("-32600", "null")},
         "fail* X-must/M@1"},
        {"under J2-4.1a", WAITS("\"J2-4.1a\""), {ANSWER, "@1 " ANSWER}, "fail* J2-5a/M@1"},
        {"a missing one under J2-4.1a", WAITS("\"J2-4.1a\""), {NULL}, "fail* J2-5a/M@1"},
        {"one with the id null under J2-4.1a",
         WAITS("\"J2-4.1a\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M@1"},
        {"one of nobody under J2-4.1a",
         WAITS("\"J2-4.1a\""),
         {ANSWER, "@1 " ERROR_ANSWER("-32600", "null")},
         "fail* J2-4.1a/M@1"},
        {"under J2-4.1d", WAITS("\"J2-4.1d\""), {ANSWER, "@1 " ANSWER}, "fail* J2-5a/M@1"},
        {"a missing one under J2-4.1d", WAITS("\"J2-4.1d\""), {NULL}, "fail* J2-5a/M@1"},
        {"one with the id null under J2-4.1d",
         WAITS("\"J2-4.1d\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M@1"},
        {"one of nobody under J2-4.1d",
         WAITS("\"J2-4.1d\""),
         {ANSWER, "@1 " ERROR_ANSWER("-32600", "null")},
         "fail* J2-4.1d/M@1"},
        {"under J2-6a", WAITS("\"J2-6a\""), {ANSWER, "@1 " ANSWER}, "fail* J2-5a/M@1"},
        {"a missing one under J2-6a", WAITS("\"J2-6a\""), {NULL}, "warn J2-6a/S@1"},
        {"one with the id null under J2-6a",
         WAITS("\"J2-6a\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M@1"},
        {"one of nobody under J2-6a",
         WAITS("\"J2-6a\""),
         {ANSWER, "@1 " ERROR_ANSWER("-32600", "null")},
         "warn J2-6a/S@1"},
        {"under CON-a", WAITS("\"CON-a\""), {ANSWER, "@1 " ANSWER}, "fail* J2-5a/M@1"},
        {"a missing one under CON-a", WAITS("\"CON-a\""), {NULL}, "fail* CON-a/M@1"},
        {"one with the id null under CON-a",
         WAITS("\"CON-a\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M@1"},
        {"one of nobody under CON-a",
         WAITS("\"CON-a\""),
         {ANSWER, "@1 " ERROR_ANSWER("-32600", "null")},
         "fail* CON-a/M@1"},
        {"a notification beside it",
         WAITS("\"X-must\""),
         {ANSWER, "@1 {\"jsonrpc\":\"2.0\",\"method\":\"x\"}"},
         "pass"},
        {"a Response without an id beside it",
         WAITS("\"X-must\""),
         {ANSWER, "@1 {\"jsonrpc\":\"2.0\",\"result\":1}"},
         "fail* J2-5f/M@1"},
        {"the connection closes in its place",
         WAITS("\"X-must\""),
         {NULL},
         "fail* X-must/M@1 connection=closed",
         END_CLOSED},
        {"the process ends in its place",
         WAITS("\"X-must\""),
         {NULL},
         "crash* SEC-l/M@1",
         END_EXITED},
        {"the process leaves in its place",
         WAITS("\"X-must\""),
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
}

static void a_batch_among_alternatives(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the whole Array",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {"[" ANSWER "," A8 "]"},
         "pass"},
        {"an Array that lacks one",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {"[" ANSWER "]"},
         "warn J2-6b/S"},
        {"one Response",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ANSWER},
         "fail* X-must/M"},
        {"both without an Array",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ANSWER, A8},
         "warn J2-6a/S"},
        {"refused as a whole",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32600", "null")},
         "warn X-should/S"},
        {"refused as a whole by another error",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32603", "null")},
         "fail* X-must/M"},
        {"an Array with one too many",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {"[" ANSWER "," A8 "," A8 "]"},
         "warn J2-6b/S"},
        {"a wrong code",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* X-must/M"},
        {"nothing",
         SEND("\"X-must\"", TWO_CALLS,
              "{\"any-of\":[{\"batch\":" TWO("-32601") "},{\"error\":{\"code\":-32600},\"id\":null,"
                                                       "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {NULL},
         "fail* X-must/M"},
    };
    BENCH_CHECK(rows);
}

static void one_element_of_a_batch(void **state)
{
    (void)state;
    static const row rows[] = {
        {"under X-must, where -32601 is owed",
         SEND("\"X-must\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* X-must/M"},
        {"under X-must, where -32602 is owed",
         SEND("\"X-must\"", TWO_CALLS, TWO("-32602")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* X-must/M"},
        {"under X-must, where -32600 is owed",
         SEND("\"X-must\"", TWO_CALLS, TWO("-32600")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6g/M"},
        {"under X-must, where -32000 is owed",
         SEND("\"X-must\"", TWO_CALLS, TWO("-32000")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* X-must/M"},
        {"under J2-7, where -32601 is owed",
         SEND("\"J2-7\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-7/M"},
        {"under J2-7, where -32602 is owed",
         SEND("\"J2-7\"", TWO_CALLS, TWO("-32602")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-7/M"},
        {"under J2-7, where -32600 is owed",
         SEND("\"J2-7\"", TWO_CALLS, TWO("-32600")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-7/M"},
        {"under J2-7, where -32000 is owed",
         SEND("\"J2-7\"", TWO_CALLS, TWO("-32000")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-7/M"},
        {"under J2-6i, where -32601 is owed",
         SEND("\"J2-6i\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6i/M"},
        {"under J2-6i, where -32602 is owed",
         SEND("\"J2-6i\"", TWO_CALLS, TWO("-32602")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6i/M"},
        {"under J2-6i, where -32600 is owed",
         SEND("\"J2-6i\"", TWO_CALLS, TWO("-32600")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6i/M"},
        {"under J2-6i, where -32000 is owed",
         SEND("\"J2-6i\"", TWO_CALLS, TWO("-32000")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6i/M"},
        {"under J2-6b, where -32601 is owed",
         SEND("\"J2-6b\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-5.1f/M"},
        {"under J2-6b, where -32602 is owed",
         SEND("\"J2-6b\"", TWO_CALLS, TWO("-32602")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-5.1g/M"},
        {"under J2-6b, where -32600 is owed",
         SEND("\"J2-6b\"", TWO_CALLS, TWO("-32600")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6g/M"},
        {"under J2-6b, where -32000 is owed",
         SEND("\"J2-6b\"", TWO_CALLS, TWO("-32000")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "warn J2-6b/S"},
        {"under J2-5a, where -32601 is owed",
         SEND("\"J2-5a\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-5.1f/M"},
        {"under J2-5a, where -32602 is owed",
         SEND("\"J2-5a\"", TWO_CALLS, TWO("-32602")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-5.1g/M"},
        {"under J2-5a, where -32600 is owed",
         SEND("\"J2-5a\"", TWO_CALLS, TWO("-32600")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6g/M"},
        {"under J2-5a, where -32000 is owed",
         SEND("\"J2-5a\"", TWO_CALLS, TWO("-32000")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-5a/M"},
        {"under J2-4.1a, where -32601 is owed",
         SEND("\"J2-4.1a\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-5.1f/M"},
        {"under J2-4.1a, where -32602 is owed",
         SEND("\"J2-4.1a\"", TWO_CALLS, TWO("-32602")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-5.1g/M"},
        {"under J2-4.1a, where -32600 is owed",
         SEND("\"J2-4.1a\"", TWO_CALLS, TWO("-32600")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-6g/M"},
        {"under J2-4.1a, where -32000 is owed",
         SEND("\"J2-4.1a\"", TWO_CALLS, TWO("-32000")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* J2-4.1a/M"},
        {"under OWN-must, where -32601 is owed",
         SEND("\"OWN-must\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* OWN-must/M",
         .suite = "own"},
        {"under OWN-must, where -32602 is owed",
         SEND("\"OWN-must\"", TWO_CALLS, TWO("-32602")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* OWN-must/M",
         .suite = "own"},
        {"under OWN-must, where -32600 is owed",
         SEND("\"OWN-must\"", TWO_CALLS, TWO("-32600")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* OWN-must/M",
         .suite = "own"},
        {"under OWN-must, where -32000 is owed",
         SEND("\"OWN-must\"", TWO_CALLS, TWO("-32000")),
         {"[" ANSWER "," ERROR_ANSWER("-32603", "8") "]"},
         "fail* OWN-must/M",
         .suite = "own"},
        {"a result in place of an error",
         SEND("\"X-must\"", TWO_CALLS, TWO("-32601")),
         {"[" ANSWER ",{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":8}]"},
         "fail* X-must/M"},
        {"an invalid one is refused",
         SEND("\"X-must\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}]",
              "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32600},\"id\":{\"$"
              "in\":[8,null]}}]"),
         {"[" ANSWER "," ERROR_ANSWER("-32600", "null") "]"},
         "pass"},
        {"an invalid one is refused with its id",
         SEND("\"X-must\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}]",
              "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32600},\"id\":{\"$"
              "in\":[8,null]}}]"),
         {"[" ANSWER "," ERROR_ANSWER("-32600", "8") "]"},
         "pass"},
        {"an invalid one is served",
         SEND("\"X-must\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}]",
              "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32600},\"id\":{\"$"
              "in\":[8,null]}}]"),
         {"[" ANSWER ","
          "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":8}"
          "]"},
         "fail* J2-6g/M"},
        {"an invalid one is answered with another code",
         SEND("\"X-must\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}]",
              "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32600},\"id\":{\"$"
              "in\":[8,null]}}]"),
         {"[" ANSWER "," ERROR_ANSWER("-32601", "8") "]"},
         "fail* J2-6g/M"},
        {"an invalid one gets the id of nobody",
         SEND("\"X-must\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}]",
              "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32600},\"id\":{\"$"
              "in\":[8,null]}}]"),
         {"[" ANSWER "," ERROR_ANSWER("-32601", "9") "]"},
         "fail* J2-6g/M J2-6b/S"},
    };
    BENCH_CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_answer_to_one_call),
        cmocka_unit_test(numbers_that_rise),
        cmocka_unit_test(a_batch_among_alternatives),
        cmocka_unit_test(one_element_of_a_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
