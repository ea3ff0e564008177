// The structured members of a message: every value of every type in every one of them, and the
// rules between them.
#include "reference/json/read.h"
#include "tests/unit/rpc/rpc_test.h"

#include <stdio.h>
#include <string.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

// Reads a message and checks its members against its method.
static jrpc_resource_reason check(const char *text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (!jrpc_json_read(&document, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, NULL)) {
        fail_msg("no JSON: %s", text);
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_slice method = {NULL, 0};
    (void)jrpc_json_string(jrpc_json_get(jrpc_json_root(&document), "method"), &arena, &method);
    jrpc_resource fields = jrpc_resource_read(jrpc_json_root(&document));
    jrpc_resource_reason reason = jrpc_resource_check(&fields, method);
    jrpc_arena_done(&arena);
    jrpc_json_document_done(&document);
    return reason;
}

static void assert_reason(const char *text, jrpc_resource_reason expected)
{
    jrpc_resource_reason reason = check(text);
    if (reason != expected) {
        fail_msg("%s\n  got      %s\n  expected %s", text, jrpc_resource_reason_text(reason),
                 jrpc_resource_reason_text(expected));
    }
}

static void rules_between_members_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        jrpc_resource_reason reason;
    } rows[] = {
        {"{}", JRPC_RESOURCE_VALID},
        {"[]", JRPC_RESOURCE_VALID},
        {"7", JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.b.c.d\"}", JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.b\",\"target\":1}", JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.b\",\"cache\":[],\"request_id\":{},\"meta\":1}", JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_VALID},
        {"{\"verb\":\"b\",\"method\":\"a\\u002Eb\",\"resource\":\"\\u0061\"}", JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.s.b\",\"resource\":\"a\",\"verb\":\"b\",\"subresource\":\"s\"}",
         JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.s.b\",\"resource\":\"a\",\"verb\":\"b\",\"subresource\":\"s\","
         "\"parent\":-1.5,\"target\":\"\"}",
         JRPC_RESOURCE_VALID},
        {"{\"method\":\"\\u0000.\\ud83d\\ude00\",\"resource\":\"\\u0000\","
         "\"verb\":\"\xF0\x9F\x98\x80\"}",
         JRPC_RESOURCE_VALID},
        {"{\"method\":\"\\udead.b\",\"resource\":\"\\uDEAD\",\"verb\":\"b\"}", JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.b\",\"resource\":\"x\",\"verb\":\"b\",\"resource\":\"a\"}",
         JRPC_RESOURCE_VALID},
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\",\"resource\":null}",
         JRPC_RESOURCE_TYPE},
        {"{\"method\":\"a.b\",\"resource\":\"a\"}", JRPC_RESOURCE_WITHOUT_VERB},
        {"{\"method\":\"a.b\",\"verb\":\"b\"}", JRPC_RESOURCE_VERB_ALONE},
        {"{\"method\":\"a.b\",\"subresource\":\"s\"}", JRPC_RESOURCE_SUBRESOURCE_ALONE},
        {"{\"method\":\"a.b\",\"subresource\":\"s\",\"parent\":1}",
         JRPC_RESOURCE_SUBRESOURCE_ALONE},
        {"{\"method\":\"a.b\",\"parent\":1}", JRPC_RESOURCE_PARENT_ALONE},
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\",\"parent\":1}",
         JRPC_RESOURCE_PARENT_WITHOUT_SUB},
        {"{\"method\":\"a.c\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"A.b\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.B\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"ab\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.b.\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a/b\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"b.a\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.b\\u0000\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\\u0000\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.1.b\",\"resource\":\"a\",\"verb\":\"b\",\"target\":1}",
         JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\",\"subresource\":\"s\"}",
         JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.s.b\",\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"resource\":\"a\",\"verb\":\"b\"}", JRPC_RESOURCE_MISMATCH},
        {"{\"method\":\"a.s.b\",\"resource\":\"a.s\",\"verb\":\"b\"}", JRPC_RESOURCE_DOT},
        {"{\"method\":\"a.s.b\",\"resource\":\"a\",\"verb\":\"s.b\"}", JRPC_RESOURCE_DOT},
        {"{\"method\":\"...\",\"resource\":\".\",\"verb\":\".\"}", JRPC_RESOURCE_DOT},
        {"{\"method\":\"a.s.t.b\",\"resource\":\"a\",\"verb\":\"b\",\"subresource\":\"s.t\"}",
         JRPC_RESOURCE_DOT},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_reason(rows[i].text, rows[i].reason);
    }
}

static void every_member_takes_the_types_of_the_table_and_no_other(void **state)
{
    (void)state;
    static const struct {
        const char *member;
        const char *format; // of a message that is valid but for that member
        bool instance;      // Strings and Numbers; else names
        jrpc_resource_reason wrong;
    } members[] = {
        {"resource", "{\"method\":\"a.b\",\"verb\":\"b\",\"resource\":%s}", false,
         JRPC_RESOURCE_TYPE},
        {"verb", "{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":%s}", false,
         JRPC_RESOURCE_VERB_TYPE},
        {"subresource",
         "{\"method\":\"a.a.b\",\"resource\":\"a\",\"verb\":\"b\",\"subresource\":%s}", false,
         JRPC_RESOURCE_SUBRESOURCE_TYPE},
        {"target", "{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\",\"target\":%s}", true,
         JRPC_RESOURCE_TARGET_TYPE},
        {"parent",
         "{\"method\":\"a.s.b\",\"resource\":\"a\",\"verb\":\"b\",\"subresource\":\"s\","
         "\"parent\":%s}",
         true, JRPC_RESOURCE_PARENT_TYPE},
    };
    static const struct {
        const char *spelling;
        bool name, instance; // what it may be
    } values[] = {
        {"null", false, false},
        {"true", false, false},
        {"false", false, false},
        {"[]", false, false},
        {"[\"a\"]", false, false},
        {"{}", false, false},
        {"{\"a\":\"a\"}", false, false},
        {"0", false, true},
        {"-1", false, true},
        {"1.5e300", false, true},
        {"\"\"", false, true},
        {"\"a\"", true, true},
        {"\"\\u0061\"", true, true},
    };
    for (size_t i = 0; i < LENGTH(members); i++) {
        for (size_t j = 0; j < LENGTH(values); j++) {
            char text[200];
            (void)snprintf(text, sizeof text, "%s", members[i].format);
            char *at = strstr(text, "%s");
            assert_non_null(at);
            const char *behind = strstr(members[i].format, "%s") + 2;
            (void)snprintf(at, sizeof text - (size_t)(at - text), "%s%s", values[j].spelling,
                           behind);
            bool right = members[i].instance ? values[j].instance : values[j].name;
            jrpc_resource_reason reason = check(text);
            // A right name may still be another one than the method says.
            bool accepted = reason == JRPC_RESOURCE_VALID || reason == JRPC_RESOURCE_MISMATCH;
            if (right ? !accepted : reason != members[i].wrong) {
                fail_msg("%s: %s", text, jrpc_resource_reason_text(reason));
            }
        }
    }
}

static void names_of_a_mebibyte_are_compared_whole(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), OUT_BYTES);
    for (int wrong = 0; wrong < 2; wrong++) {
        jrpc_buffer_clear(&text);
        const char *const parts[] = {"{\"method\":\"", ".b\",\"verb\":\"b\",\"resource\":\"",
                                     "\"}"};
        for (size_t i = 0; i < LENGTH(parts); i++) {
            jrpc_buffer_append_str(&text, parts[i]);
            for (size_t n = 0; i < 2 && n < LONG; n++) {
                jrpc_buffer_append_char(&text, wrong == 1 && i == 1 && n == LONG - 1 ? 'x' : 'n');
            }
        }
        assert_true(jrpc_buffer_append_char(&text, '\0'));
        assert_int_equal(check(text.ptr),
                         wrong == 0 ? JRPC_RESOURCE_VALID : JRPC_RESOURCE_MISMATCH);
    }
    jrpc_buffer_done(&text);
}

static void a_status_is_one_of_four_words(void **state)
{
    (void)state;
    static const struct {
        const char *result;
        jrpc_status status;
    } rows[] = {
        {"{\"status\":\"accepted\"}", JRPC_STATUS_ACCEPTED},
        {"{\"status\":\"pending\",\"a\":1}", JRPC_STATUS_PENDING},
        {"{\"status\":\"d\\u006fne\"}", JRPC_STATUS_DONE},
        {"{\"status\":\"error\"}", JRPC_STATUS_ERROR},
        {"{\"status\":\"Done\"}", JRPC_STATUS_UNKNOWN},
        {"{\"status\":\"done\\u0000\"}", JRPC_STATUS_UNKNOWN},
        {"{\"status\":\"\"}", JRPC_STATUS_UNKNOWN},
        {"{\"status\":null}", JRPC_STATUS_UNKNOWN},
        {"{\"status\":[\"done\"]}", JRPC_STATUS_UNKNOWN},
        {"{\"Status\":\"done\"}", JRPC_STATUS_NONE},
        {"{}", JRPC_STATUS_NONE},
        {"[\"status\"]", JRPC_STATUS_NONE},
        {"\"done\"", JRPC_STATUS_NONE},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(&document, jrpc_slice_str(rows[i].result), 8, NULL));
        assert_int_equal(jrpc_status_of(jrpc_json_root(&document)), rows[i].status);
        jrpc_json_document_done(&document);
    }
    assert_string_equal(jrpc_status_word(JRPC_STATUS_ACCEPTED), "accepted");
    assert_string_equal(jrpc_status_word(JRPC_STATUS_ERROR), "error");
    assert_null(jrpc_status_word(JRPC_STATUS_NONE));
    assert_null(jrpc_status_word(JRPC_STATUS_UNKNOWN));
}

static void every_reason_has_a_sentence_of_its_own(void **state)
{
    (void)state;
    for (int i = JRPC_RESOURCE_VALID; i <= JRPC_RESOURCE_RESERVED_VERB; i++) {
        const char *text = jrpc_resource_reason_text((jrpc_resource_reason)i);
        assert_true(strlen(text) > 10 && strpbrk(text, "\"\\") == NULL);
        for (int j = JRPC_RESOURCE_VALID; j < i; j++) {
            assert_string_not_equal(text, jrpc_resource_reason_text((jrpc_resource_reason)j));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_between_members_are_kept),
        cmocka_unit_test(every_member_takes_the_types_of_the_table_and_no_other),
        cmocka_unit_test(names_of_a_mebibyte_are_compared_whole),
        cmocka_unit_test(a_status_is_one_of_four_words),
        cmocka_unit_test(every_reason_has_a_sentence_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
