// What a receiver owes for bytes: kind, code, id, whether the absent method is called.
#include "harness/judge/owed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define ABSENT "\"gone\""
#define HEAD "{\"jsonrpc\":\"2.0\","

static void every_text_is_owed_what_the_specification_says(void **state)
{
    static const struct {
        const char *sent;
        jck_owed_kind kind;
        int code;
        const char *id; // NULL: none that can be echoed
        bool absent;
        size_t calls;
    } rows[] = {
        {HEAD "\"method\":\"m\",\"id\":1}", JCK_OWED_RESPONSE, 0, "1", false, 0},
        {HEAD "\"method\":\"gone\",\"id\":\"a\"}", JCK_OWED_RESPONSE, -32601, "\"a\"", true, 0},
        {HEAD "\"method\":\"gone\",\"id\":null}", JCK_OWED_RESPONSE, -32601, "null", true, 0},
        {HEAD "\"method\":\"gone\"}", JCK_OWED_NOTHING, 0, NULL, false, 0},
        {HEAD "\"method\":\"m\"}", JCK_OWED_NOTHING, 0, NULL, false, 0},
        {HEAD "\"method\":\"m\",\"params\":1,\"id\":1}", JCK_OWED_RESPONSE, -32600, "1", false, 0},
        {HEAD "\"method\":1}", JCK_OWED_RESPONSE, -32600, NULL, false, 0},
        {HEAD "\"method\":\"m\",\"id\":[]}", JCK_OWED_RESPONSE, -32600, NULL, false, 0},
        {"{\"jsonrpc\":\"1.0\",\"method\":\"gone\",\"id\":1}", JCK_OWED_RESPONSE, -32600, "1",
         false, 0},
        {"{}", JCK_OWED_RESPONSE, -32600, NULL, false, 0},
        {"1", JCK_OWED_RESPONSE, -32600, NULL, false, 0},
        {HEAD "\"result\":1,\"id\":1}", JCK_OWED_NOTHING, 0, NULL, false, 0},
        {"", JCK_OWED_RESPONSE, -32700, NULL, false, 0},
        {"{", JCK_OWED_RESPONSE, -32700, NULL, false, 0},
        {"[1", JCK_OWED_RESPONSE, -32700, NULL, false, 0},
        {"[]", JCK_OWED_RESPONSE, -32600, NULL, false, 0},
        {"[1]", JCK_OWED_BATCH, 0, NULL, false, 1},
        {"[[],1,{}]", JCK_OWED_BATCH, 0, NULL, false, 3},
        {"[" HEAD "\"method\":\"m\"}]", JCK_OWED_NOTHING, 0, NULL, false, 0},
        {"[" HEAD "\"method\":\"gone\"}," HEAD "\"method\":\"m\",\"id\":1}]", JCK_OWED_BATCH, 0,
         NULL, false, 1},
        {"[" HEAD "\"method\":\"gone\",\"id\":2}," HEAD "\"method\":\"m\"}]", JCK_OWED_BATCH, 0,
         NULL, true, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        jck_owed owed = jck_owed_for(jrpc_slice_str(rows[i].sent), JRPC_SLICE(ABSENT), &document);
        if (owed.kind != rows[i].kind || owed.code != rows[i].code ||
            owed.id_sent != (rows[i].id != NULL) || owed.absent != rows[i].absent ||
            owed.calls != rows[i].calls ||
            (owed.id_sent && !jrpc_slice_is(jrpc_json_spelling(owed.id), rows[i].id))) {
            fail_msg("%s: kind %d, code %d, id %d, absent %d, calls %zu", rows[i].sent, owed.kind,
                     owed.code, owed.id_sent, owed.absent, owed.calls);
        }
        jrpc_json_document_done(&document);
    }
}

static void nothing_is_derived_without_memory_or_beyond_the_depth_looked_into(void **state)
{
    (void)state;
    jrpc_failing_allocator failing;
    jrpc_json_document document;
    jrpc_failing_allocator_init(&failing, 0);
    jrpc_json_document_init(&document, &failing.allocator);
    jck_owed owed = jck_owed_for(JRPC_SLICE("[1]"), JRPC_SLICE(ABSENT), &document);
    assert_int_equal(owed.kind, JCK_OWED_UNKNOWN);
    assert_true(owed.starved);
    jrpc_json_document_done(&document);

    static const size_t DEPTH = 100000;
    char *deep = malloc(2 * DEPTH);
    assert_non_null(deep);
    memset(deep, '[', DEPTH);
    memset(deep + DEPTH, ']', DEPTH);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    owed = jck_owed_for(jrpc_slice_of(deep, 2 * DEPTH), JRPC_SLICE(ABSENT), &document);
    assert_int_equal(owed.kind, JCK_OWED_UNKNOWN);
    assert_false(owed.starved);
    jrpc_json_document_done(&document);

    // Whatever depth is looked into: what is never closed, or closed too often, is not JSON.
    static const size_t cuts[][2] = {{0, 1}, {1, 0}};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        jrpc_slice cut = jrpc_slice_of(deep + cuts[i][0], 2 * DEPTH - cuts[i][0] - cuts[i][1]);
        owed = jck_owed_for(cut, JRPC_SLICE(ABSENT), &document);
        assert_int_equal(owed.kind, JCK_OWED_RESPONSE);
        assert_int_equal(owed.code, JRPC_PARSE_ERROR);
        jrpc_json_document_done(&document);
    }
    free(deep);
}

static void each_code_has_its_rule(void **state)
{
    static const struct {
        int code;
        jck_role role;
    } rows[] = {{-32700, JCK_ROLE_PARSE_ERROR},
                {-32600, JCK_ROLE_INVALID_REQUEST},
                {-32601, JCK_ROLE_METHOD_NOT_FOUND},
                {-32602, JCK_ROLE_INVALID_PARAMS},
                {-32603, JCK_ROLE_INTERNAL_ERROR},
                {0, JCK_ROLE_NONE},
                {-32000, JCK_ROLE_NONE},
                {-32604, JCK_ROLE_NONE}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(jck_owed_code_role(rows[i].code), rows[i].role);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_is_owed_what_the_specification_says),
        cmocka_unit_test(nothing_is_derived_without_memory_or_beyond_the_depth_looked_into),
        cmocka_unit_test(each_code_has_its_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
