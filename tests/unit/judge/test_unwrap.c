// Results that stand inside of those of another method, as with tools/call of MCP.
#include "tests/unit/judge/bench_starve.h"

#include "reference/base/limits.h"
#include "reference/json/read.h"

// subtract is called as the tool `s`; its result is text in the content, a member, or all of it.
static jrpc_json_document params;
static jck_call in_content = {.result = JRPC_SLICE_INIT("/content/0/text"), .in_text = true};
static jck_call in_member = {.result = JRPC_SLICE_INIT("/value")};
static jck_call in_whole = {.in_text = true};
static jck_call plain;
#define MAPPED(how)                                                                                \
    {                                                                                              \
        .capability = JRPC_SLICE_INIT("subtract"), .method = JRPC_SLICE_INIT("\"tools/call\""),    \
        .call = &(how)                                                                             \
    }
static const jck_mapping by_content = MAPPED(in_content);
static const jck_mapping by_member = MAPPED(in_member);
static const jck_mapping by_whole = MAPPED(in_whole);
static const jck_mapping by_itself = MAPPED(plain);

#define GIVES(result) "{\"jsonrpc\":\"2.0\",\"result\":" result ",\"id\":$ID}"
#define TEXT(text) GIVES("{\"content\":[{\"type\":\"text\",\"text\":" text "}]}")
#define OF(name, result) "@2 {\"jsonrpc\":\"2.0\",\"result\":" result ",\"id\":$ID." name "}"
#define ONE "params/by-position"
#define TWO "in-flight/two-results"
#define WRAPPED(id, how, verdict, ...) IN(id, verdict, __VA_ARGS__), .mapping = &(how)

static const row rows[] = {
    {"a result in text", WRAPPED(ONE, by_content, "pass", TEXT("\"19\""))},
    {"white space and an escape around it",
     WRAPPED(ONE, by_content, "pass", TEXT("\" \\u0031\\u0039\\n\""))},
    {"another result in text", WRAPPED(ONE, by_content, "fail* J2-4.2a/M", TEXT("\"20\""))},
    {"text that is not JSON", WRAPPED(ONE, by_content, "fail* J2-4.2a/M", TEXT("\"nineteen\""))},
    {"no text", WRAPPED(ONE, by_content, "fail* J2-4.2a/M", TEXT("19"))},
    {"no content", WRAPPED(ONE, by_content, "fail* J2-4.2a/M", GIVES("{}"))},
    {"the result itself", WRAPPED(ONE, by_content, "pass", GIVES("19"))},
    {"an error",
     WRAPPED(ONE, by_content, "fail* J2-4.2a/M",
             "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"m\"},\"id\":$ID}")},
    {"another id",
     WRAPPED(ONE, by_content, "fail* J2-4e/M",
             "{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[{\"text\":\"19\"}]},\"id\":7}")},
    {"no id", WRAPPED(ONE, by_content, "fail* J2-5f/M",
                      "{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[{\"text\":\"19\"}]}}")},
    {"in an Array", WRAPPED(ONE, by_content, "fail* J2-5a/M", "[" TEXT("\"19\"") "]")},
    {"bytes that are no message before it",
     WRAPPED(ONE, by_content, "warn FR-f/S", "@noise x", TEXT("\"19\""))},
    {"a message that was not kept whole", WRAPPED(ONE, by_content, "pass", "@cut " TEXT("\"19\""))},
    {"a fence before it",
     WRAPPED(ONE, by_content, "pass", "@fence " TEXT("\"5\""), TEXT("\"19\""))},
    {"a result in a member", WRAPPED(ONE, by_member, "pass", GIVES("{\"value\":19}"))},
    {"another result in a member",
     WRAPPED(ONE, by_member, "fail* J2-4.2a/M", GIVES("{\"value\":\"19\"}"))},
    {"no such member", WRAPPED(ONE, by_member, "fail* J2-4.2a/M", GIVES("{\"values\":19}"))},
    {"all of the result is text", WRAPPED(ONE, by_whole, "pass", GIVES("\"19\""))},
    {"all of the result is a Number", WRAPPED(ONE, by_whole, "pass", GIVES("19"))},
    {"a method that wraps only params", WRAPPED(ONE, by_itself, "pass", GIVES("19"))},
    {"two calls, the last one first",
     WRAPPED(TWO, by_member, "pass", OF("b", "{\"value\":-19}"), OF("a", "{\"value\":19}"))},
    {"two calls, swapped", WRAPPED(TWO, by_member, "fail* CON-a/M@2", OF("b", "{\"value\":19}"),
                                   OF("a", "{\"value\":-19}"))},
};

static int read_params(void **state)
{
    static const char text[] = "{\"name\":\"s\",\"arguments\":\"${params}\"}";
    (void)state;
    jrpc_json_document_init(&params, jrpc_allocator_heap());
    bool read = jrpc_json_read(&params, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, NULL);
    in_content.params = in_member.params = in_whole.params = plain.params = jrpc_json_root(&params);
    return !read;
}

static int forget_params(void **state)
{
    (void)state;
    jrpc_json_document_done(&params);
    return 0;
}

static void the_result_inside_is_judged(void **state)
{
    (void)state;
    BENCH_CHECK(rows);
}

static void memory_that_runs_out_gives_an_error_or_the_right_verdict(void **state)
{
    (void)state;
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_result_inside_is_judged),
        cmocka_unit_test(memory_that_runs_out_gives_an_error_or_the_right_verdict),
    };
    return cmocka_run_group_tests(tests, read_params, forget_params);
}
