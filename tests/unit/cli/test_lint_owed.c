// Expectations that contradict what is owed.
#include "harness/cli/lint_owed.h"

#include "reference/json/read.h"
#include "reference/rpc/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define CALL "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"i\"}"
#define ABSENT "{\"jsonrpc\":\"2.0\",\"method\":\"none\",\"id\":\"i\"}"
#define NOTE "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}"
#define INVALID "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":\"i\"}"

static const struct {
    const char *sent;
    jck_expect_kind kind;
    const char *pattern;  // NULL: none
    const char *sentence; // NULL: nothing is wrong
} rows[] = {
    {CALL, JCK_EXPECT_RESPONSE, "{\"result\":1}", NULL},
    {CALL, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32602}}", NULL},
    {CALL, JCK_EXPECT_RESPONSE, "{\"error\":{}}", NULL},
    {CALL, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32700}}",
     "error -32700 is expected where the Response of a valid call is owed"},
    {CALL, JCK_EXPECT_NOTHING, NULL,
     "nothing is expected where the Response of a valid call is owed"},
    {CALL, JCK_EXPECT_BATCH, "[{}]",
     "an Array of 1 Response is expected where the Response of a valid call is owed"},
    {CALL, JCK_EXPECT_REJECTED, NULL,
     "a rejection (-32600) is expected where the Response of a valid call is owed"},
    {CALL, JCK_EXPECT_ANYTHING, NULL, NULL},
    {CALL, JCK_EXPECT_UNSTATED, NULL, NULL},
    {CALL, JCK_EXPECT_CLOSED, NULL, NULL},
    {ABSENT, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32601}}", NULL},
    {ABSENT, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32601.0}}", NULL},
    {ABSENT, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":{\"$in\":[-32600,-32601]}}}", NULL},
    {ABSENT, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":{\"$in\":[-32600,-32602]}}}",
     "error {\"$in\":[-32600,-32602]} is expected where error -32601 is owed"},
    {ABSENT, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":{\"$any\":true}}}", NULL},
    {ABSENT, JCK_EXPECT_RESPONSE, "{\"result\":null}",
     "a result is expected where error -32601 is owed"},
    {ABSENT, JCK_EXPECT_RESPONSE, "{\"result\":{\"$absent\":true}}", NULL},
    {NOTE, JCK_EXPECT_NOTHING, NULL, NULL},
    {NOTE, JCK_EXPECT_RESPONSE, "{\"result\":1}", "one Response is expected where nothing is owed"},
    {NOTE, JCK_EXPECT_REJECTED, NULL, "a rejection (-32600) is expected where nothing is owed"},
    {INVALID, JCK_EXPECT_REJECTED, NULL, NULL},
    {INVALID, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32600}}", NULL},
    {INVALID, JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32601}}",
     "error -32601 is expected where error -32600 is owed"},
    {"{", JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32700}}", NULL},
    {"{", JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32601}}",
     "error -32601 is expected where error -32700 is owed"},
    {"{", JCK_EXPECT_REJECTED, NULL, "a rejection (-32600) is expected where error -32700 is owed"},
    {"[]", JCK_EXPECT_RESPONSE, "{\"error\":{\"code\":-32600}}", NULL},
    {"[]", JCK_EXPECT_BATCH, "[]",
     "an Array of 0 Responses is expected where error -32600 is owed"},
    {"[" CALL "," NOTE "," CALL "]", JCK_EXPECT_BATCH, "[{},{}]", NULL},
    {"[" CALL "," NOTE "," CALL "]", JCK_EXPECT_BATCH, "[{},{},{}]",
     "an Array of 3 Responses is expected where an Array of 2 Responses is owed"},
    {"[" CALL "]", JCK_EXPECT_RESPONSE, "{\"result\":1}",
     "one Response is expected where an Array of 1 Response is owed"},
    {"[" CALL "]", JCK_EXPECT_NOTHING, NULL,
     "nothing is expected where an Array of 1 Response is owed"},
    {"[" NOTE "]", JCK_EXPECT_NOTHING, NULL, NULL},
};

static void contradictions_are_found_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_json_document sent;
        jrpc_json_document pattern;
        char sentence[200] = "";
        jrpc_json_document_init(&sent, jrpc_allocator_heap());
        jrpc_json_document_init(&pattern, jrpc_allocator_heap());
        jck_expect expect = {.kind = rows[i].kind};
        if (rows[i].pattern != NULL) {
            assert_true(jrpc_json_read(&pattern, jrpc_slice_str(rows[i].pattern), 8, NULL));
            expect.pattern = jrpc_json_root(&pattern);
        }
        jck_owed owed = jck_owed_for(jrpc_slice_str(rows[i].sent), JRPC_SLICE("\"none\""), &sent);
        bool found = jck_lint_contradicts(&expect, &owed, sentence, sizeof sentence);
        if (found != (rows[i].sentence != NULL) ||
            (found && strcmp(sentence, rows[i].sentence) != 0)) {
            fail_msg("row %zu, %s: %s", i, rows[i].sent, sentence);
        }
        jrpc_json_document_done(&pattern);
        jrpc_json_document_done(&sent);
    }
}

static void one_alternative_that_agrees_is_enough(void **state)
{
    (void)state;
    jrpc_json_document sent;
    char sentence[200];
    jrpc_json_document_init(&sent, jrpc_allocator_heap());
    jck_expect alternatives[] = {{.kind = JCK_EXPECT_NOTHING}, {.kind = JCK_EXPECT_REJECTED}};
    const jck_expect expect = {
        .kind = JCK_EXPECT_ANY_OF, .alternatives = alternatives, .alternative_count = 2};
    jck_owed owed = jck_owed_for(JRPC_SLICE(INVALID), JRPC_SLICE("\"none\""), &sent);
    assert_false(jck_lint_contradicts(&expect, &owed, sentence, sizeof sentence));
    owed = jck_owed_for(JRPC_SLICE(CALL), JRPC_SLICE("\"none\""), &sent);
    assert_true(jck_lint_contradicts(&expect, &owed, sentence, sizeof sentence));
    jrpc_json_document_done(&sent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictions_are_found_and_nothing_else),
        cmocka_unit_test(one_alternative_that_agrees_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
