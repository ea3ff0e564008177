// What explains all differences of a case at once, and gives them one name under any rule.
#include "tests/unit/judge/bench_starve.h"

#define PARSE_ERROR ERROR_ANSWER("-32700", "null")
#define BROKEN "{"
#define REFUSED "{\"error\":{\"code\":-32700},\"id\":null}"
#define PAGE "<html>400 Bad Request</html>"
#define TWICE "a call answered twice"
#define OTHER "the id of another call"

// Two calls of one write, and what must come for them.
#define TWO_CALLS                                                                                  \
    "\"rules\":[\"J2-5a\"],\"steps\":[{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":"     \
    "\"a\"}},{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"id\":\"b\"}},{\"receive\":["        \
    "{\"id\":\"a\",\"result\":1},{\"id\":\"b\",\"result\":2}],\"order\":\"any\",\"within\":"       \
    "\"reply\"}]"

static void findings_of_one_circumstance_have_its_name(void **state)
{
    (void)state;
    // `verdict` has what all findings of the case are called; "": they have no name.
    static const row rows[] = {
        {"a text that is refused twice, under the rule of its own case",
         SEND_TEXT("\"X-must\"", BROKEN, REFUSED),
         {PARSE_ERROR, PARSE_ERROR},
         TWICE},
        {"a text that is refused once is not refused twice",
         SEND_TEXT("\"X-must\"", BROKEN, REFUSED),
         {ERROR_ANSWER("-32600", "null")},
         "error -32600 where -32700 is owed"},
        {"a text whose rest spoils the next call is not refused twice",
         "\"rules\":[\"SEC-b\"],\"steps\":[{\"send-text\":\"{\",\"expect\":" REFUSED "},{\"send\":"
         "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"b\"},\"expect\":{\"error\":{\"code\":-"
         "32601}}}]",
         {PARSE_ERROR, "@1 " PARSE_ERROR},
         "the next call is disturbed"},
        {"two calls, of which one got both answers",
         TWO_CALLS,
         {"@2 {\"jsonrpc\":\"2.0\",\"result\":1,\"id\":\"b\"}",
          "@2 {\"jsonrpc\":\"2.0\",\"result\":2,\"id\":\"b\"}"},
         OTHER},
        {"two calls, of which one got the same answer twice",
         TWO_CALLS,
         {"@2 {\"jsonrpc\":\"2.0\",\"result\":2,\"id\":\"b\"}",
          "@2 {\"jsonrpc\":\"2.0\",\"result\":2,\"id\":\"b\"}"},
         OTHER},
        {"a page in place of a parse error, and the parse error that is missing",
         SEND_TEXT("\"X-must\"", BROKEN, REFUSED),
         {"@noise " PAGE},
         "in place of an answer, " PAGE},
        {"the same in place of the answer to a call",
         ON_CALL(UNKNOWN),
         {"@noise " PAGE},
         "in place of an answer, " PAGE},
        {"a page beside the answer is another difference",
         ON_CALL(UNKNOWN),
         {"@noise " PAGE, ERROR_ANSWER("-32601", "7")},
         ""},
    };
    bench b;
    bench_load(&b, rows, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < b.count; i++) {
        execution run;
        jrpc_arena arena;
        jck_verdict verdict;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
        bench_execute(&b, i, &run, &arena, &verdict);
        if (verdict.findings.count == 0) {
            fail_msg("%s: nothing is found", rows[i].name);
        }
        for (size_t k = 0; k < verdict.findings.count; k++) {
            jrpc_slice name = verdict.findings.items[k].difference;
            if (!jrpc_slice_is(name, rows[i].verdict)) {
                fail_msg("%s: %.*s is called \"%.*s\"", rows[i].name,
                         (int)verdict.findings.items[k].rule.len,
                         verdict.findings.items[k].rule.ptr, (int)name.len,
                         name.ptr == NULL ? "" : name.ptr);
            }
        }
        jrpc_arena_done(&arena);
        bench_forget(&run);
    }
    bench_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_of_one_circumstance_have_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
