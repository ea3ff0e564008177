// What would have been right, beside every finding that carries weight. The verdict of a row is the
// first finding's examples, "KIND TEXT" each, and what came.
#include "tests/unit/judge/bench.h"

#define ABSENT_CALL "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":\"${id}\"}"
#define CASE(send, expect) SEND("\"X-must\"", send, expect)
#define AN_ERROR(code, message, id)                                                                \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":" code ",\"message\":\"" message "\"},\"id\":" id "}"
#define RESULT(value, id) "{\"jsonrpc\":\"2.0\",\"result\":" value ",\"id\":" id "}"
#define WRONG AN_ERROR("1", "x", "$ID")

static const row rows[] = {
    {"a code of the table comes with its words and the id that was sent",
     CASE(ABSENT_CALL, "{\"error\":{\"code\":-32601},\"id\":\"${id}\"}"),
     {WRONG},
     "response " AN_ERROR("-32601", "Method not found", "$ID") "; came answer"},
    {"a result is spelled as the case asks for it",
     CASE(ABSENT_CALL, "{\"result\":[1.0,\"a\"]}"),
     {WRONG},
     "response " RESULT("[1.0,\"a\"]", "$ID") "; came answer"},
    {"matchers are shown by the first value they take",
     CASE(ABSENT_CALL, "{\"result\":{\"a\":{\"$type\":\"string\"},\"b\":{\"$in\":[7,8]},"
                       "\"c\":{\"$absent\":true},\"d\":{\"$range\":[2,3]},\"e\":{\"$any\":true},"
                       "\"f\":{\"$each\":1}}}"),
     {WRONG},
     "response " RESULT("{\"a\":\"…\",\"b\":7,\"d\":2,\"e\":…,\"f\":[1, …]}",
                        "$ID") "; came answer"},
    {"a code that may be one of several is the first of them",
     CASE(ABSENT_CALL, "{\"error\":{\"code\":{\"$in\":[-32600,-32601]}}}"),
     {RESULT("1", "$ID")},
     "response " AN_ERROR("-32600", "Invalid Request", "$ID") "; came answer"},
    {"a code of a range is its beginning",
     CASE(ABSENT_CALL, "{\"error\":{\"code\":{\"$range\":[-32099,-32000]}}}"),
     {RESULT("1", "$ID")},
     "response " AN_ERROR("-32099", "…", "$ID") "; came answer"},
    {"a rejection may carry the id or null",
     CASE("{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":9}", "{\"rejected\":\"X-must\"}"),
     {AN_ERROR("-1", "x", "9")},
     "response " AN_ERROR("-32600", "Invalid Request", "9") "; response " AN_ERROR(
         "-32600", "Invalid Request", "null") "; came answer"},
    {"what passes stands before what is recorded, and what earns a warning is left out",
     CASE(ABSENT_CALL,
          "{\"any-of\":[{\"result\":1,\"as\":\"warn\"},{\"result\":2,\"as\":\"observe:two\"},"
          "{\"result\":3}]}"),
     {WRONG},
     "response " RESULT("3", "$ID") "; response " RESULT("2", "$ID") "; came answer"},
    {"silence is right where nothing is owed",
     CASE("{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
     {AN_ERROR("-32601", "x", "null")},
     "nothing; came answer"},
    {"a batch is one Array",
     CASE("[" ABSENT_CALL "]", "[{\"error\":{\"code\":-32601},\"id\":\"${id}\"}]"),
     {AN_ERROR("-32601", "x", "$ID")},
     "batch [" AN_ERROR("-32601", "Method not found", "$ID") "]; came answer"},
    {"an answer that is missing",
     CASE(ABSENT_CALL, "{\"error\":{\"code\":-32601}}"),
     {NULL},
     "response " AN_ERROR("-32601", "Method not found", "$ID") "; came nothing"},
    {"a connection that is closed in its place",
     CASE(ABSENT_CALL, "{\"error\":{\"code\":-32601}}"),
     {NULL},
     "response " AN_ERROR("-32601", "Method not found", "$ID") "; came closed",
     END_CLOSED},
    {"a process that crashed in its place: whatever the answer, the target is to go on",
     CASE(ABSENT_CALL, "{\"error\":{\"code\":-32601}}"),
     {NULL},
     "alive; came exited",
     END_SIGNALED},
    {"a crash after a right answer: the target is to go on",
     CASE(ABSENT_CALL, "{\"error\":{\"code\":-32601}}"),
     {AN_ERROR("-32601", "x", "$ID")},
     "alive; came answer",
     END_SIGNALED},
    {"where the case does not say, what is owed is right",
     CASE("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":3}", "\"anything\""),
     {"{\"jsonrpc\":\"1\",\"result\":1,\"id\":3}"},
     "response " RESULT("…", "3") "; came answer"},
};

static const char *spelled(const jck_finding *finding, jrpc_arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < finding->expected_count; i++) {
        const jck_example *one = &finding->expected[i];
        text = jrpc_arena_printf(arena, "%s%s%s%.*s; ", text, jck_example_word(one->kind),
                                 one->text.len > 0 ? " " : "", (int)one->text.len, one->text.ptr);
    }
    return jrpc_arena_printf(arena, "%scame %s", text, jck_came_word(finding->came));
}

static void a_finding_says_what_would_have_been_right(void **state)
{
    (void)state;
    bench b;
    size_t count = sizeof rows / sizeof rows[0];
    bench_load(&b, rows, count);
    for (size_t i = 0; i < count; i++) {
        execution run;
        jrpc_arena arena;
        jck_verdict verdict;
        jrpc_buffer wanted;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
        jrpc_buffer_init(&wanted, jrpc_allocator_heap(), BENCH_BYTES);
        bench_execute(&b, i, &run, &arena, &verdict);
        jck_variables_set_step(&run.variables, 0);
        bench_replace(&wanted, rows[i].verdict, &run);
        assert_true(jrpc_buffer_append_char(&wanted, '\0'));
        assert_true(verdict.findings.count > 0);
        const char *got = spelled(&verdict.findings.items[0], &arena);
        if (strcmp(got, wanted.ptr) != 0) {
            fail_msg("%s:\n  got    %s\n  wanted %s", rows[i].name, got, wanted.ptr);
        }
        jrpc_buffer_done(&wanted);
        bench_forget(&run);
        jrpc_arena_done(&arena);
    }
    bench_done(&b);
}

// A finding without weight explains nothing, and an example that is too long is left out.
static void only_what_helps_is_explained(void **state)
{
    (void)state;
    static const jrpc_slice broken[] = {JRPC_SLICE_INIT("J2-5b")};
    static const jck_calibration known = {
        .absent_answers = true, .broken = broken, .broken_count = 1};
    static const row some[] = {
        {"",
         CASE(ABSENT_CALL, "{\"error\":{\"code\":-32601}}"),
         {"{\"error\":{\"code\":-32601,\"message\":\"x\"},\"id\":$ID}"},
         "",
         .known = &known},
    };
    bench b;
    execution run;
    jrpc_arena arena;
    jck_verdict verdict;
    bench_load(&b, some, 1);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
    bench_execute(&b, 0, &run, &arena, &verdict);
    assert_int_equal(verdict.findings.count, 1);
    assert_true(verdict.findings.items[0].known);
    assert_null(verdict.findings.items[0].expected);
    bench_forget(&run);
    jrpc_arena_done(&arena);
    bench_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_says_what_would_have_been_right),
        cmocka_unit_test(only_what_helps_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
