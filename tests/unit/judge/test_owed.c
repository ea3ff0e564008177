// What a receiver owes for bytes: kind, code, id, whether the absent method is called.
#include "harness/judge/owed.h"

#include "harness/evidence/evidence.h"

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

// If brackets are nested too deep to be examined, the rest of the text decides.
static void strings_beside_deep_brackets_hold_none_that_count(void **state)
{
    static const struct {
        const char *before, *behind;
        bool balanced;
    } rows[] = {
        {"[\"]\",", "]", true},      {"[\"\\\"]\",", "]", true}, {"[\"\\\\\",", "]", true},
        {"[\"\\\\\"],", "]", false}, {"{\"a\":", "}", true},     {"{\"a\":", "", false},
        {"[", "]]", false},          {"[", "]}", false},         {"[", "]\"", false},
        {"[", ",\"]", false},        {"[", ",\"\\\"]", false},
    };
    enum { DEPTH = JCK_MESSAGE_DEPTH + 1 };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_json_document document;
        jrpc_buffer text;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        jrpc_buffer_init(&text, jrpc_allocator_heap(), 3 * (size_t)DEPTH);
        assert_true(jrpc_buffer_append_str(&text, rows[i].before));
        for (int k = 0; k < 2 * DEPTH; k++) {
            assert_true(jrpc_buffer_append_char(&text, k < DEPTH ? '[' : ']'));
        }
        assert_true(jrpc_buffer_append_str(&text, rows[i].behind));
        jck_owed owed = jck_owed_for(jrpc_buffer_slice(&text), JRPC_SLICE(ABSENT), &document);
        if ((owed.kind == JCK_OWED_UNKNOWN) != rows[i].balanced) {
            fail_msg("%s … %s is taken for a text of kind %d", rows[i].before, rows[i].behind,
                     owed.kind);
        }
        jrpc_buffer_done(&text);
        jrpc_json_document_done(&document);
    }
}

static uint32_t bit_of(const char *text)
{
    return jck_owed_bit(jrpc_slice_str(text));
}

#define WITH_ID(id) HEAD "\"method\":\"m\",\"id\":" id "}"

static void each_kind_of_message_has_a_bit_of_its_own(void **state)
{
    static const char *const kinds[] = {
        "{",
        "[]",
        "[1]",
        WITH_ID("null"),
        WITH_ID("1234567890123456"),
        "1",
        "{}",
        "{\"jsonrpc\":\"1.0\"}",
        HEAD "\"id\":1}",
        HEAD "\"method\":1}",
        HEAD "\"method\":\"m\",\"params\":1}",
        WITH_ID("[]"),
    };
    static const char *const usual[] = {
        WITH_ID("1"),
        WITH_ID("\"a\""),
        WITH_ID("123456789012345"), // one digit less than a strange one
        WITH_ID("-12345678901234"),
        WITH_ID("1e2"),
        HEAD "\"method\":\"m\"}",
        "[" HEAD "\"method\":\"m\"}]",
        HEAD "\"result\":1,\"id\":1}",
    };
    static const char *const strange[] = {WITH_ID("1.5"), WITH_ID("-123456789012345"),
                                          WITH_ID("1.0000000000000000"), WITH_ID("1e19")};
    uint32_t seen = 0;
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint32_t bit = bit_of(kinds[i]);
        if (bit == 0 || (bit & (bit - 1)) != 0 || (seen & bit) != 0) {
            fail_msg("%s has the bits %x beside %x", kinds[i], bit, seen);
        }
        seen |= bit;
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        assert_int_equal(bit_of(usual[i]), 0);
    }
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        assert_int_equal(bit_of(strange[i]), bit_of(kinds[4]));
    }
    // A longer message may be refused for its length.
    char text[4098];
    memset(text, '{', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(bit_of(text), 0);
    assert_int_equal(bit_of(text + 1), bit_of("{"));
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
        cmocka_unit_test(strings_beside_deep_brackets_hold_none_that_count),
        cmocka_unit_test(each_kind_of_message_has_a_bit_of_its_own),
        cmocka_unit_test(each_code_has_its_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
