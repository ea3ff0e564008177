// The writer: separators, escapes, copies of what was read, limits.
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])
#define ROOM ((size_t)1 << 20)

static void assert_written(const jrpc_buffer *buffer, const char *expected)
{
    assert_false(buffer->failed);
    if (!jrpc_slice_is(jrpc_buffer_slice(buffer), expected)) {
        fail_msg("%.*s", (int)buffer->len, buffer->ptr);
    }
}

static void separators_are_the_writers_business(void **state)
{
    (void)state;
    jrpc_buffer buffer;
    jrpc_json_writer writer;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), ROOM);
    jrpc_json_writer_init(&writer, &buffer);
    jrpc_json_write_begin_object(&writer);
    jrpc_json_write_key(&writer, "a");
    jrpc_json_write_begin_array(&writer);
    jrpc_json_write_null(&writer);
    jrpc_json_write_bool(&writer, true);
    jrpc_json_write_bool(&writer, false);
    jrpc_json_write_begin_array(&writer);
    jrpc_json_write_end_array(&writer);
    jrpc_json_write_begin_object(&writer);
    jrpc_json_write_end_object(&writer);
    jrpc_json_write_end_array(&writer);
    jrpc_json_write_key_slice(&writer, JRPC_SLICE("b\0\""));
    jrpc_json_write_int(&writer, INT64_MIN);
    jrpc_json_write_key(&writer, "c");
    jrpc_json_write_str(&writer, "x");
    jrpc_json_write_key(&writer, "d");
    jrpc_json_write_raw(&writer, JRPC_SLICE("1.0"));
    jrpc_json_write_key(&writer, "e");
    jrpc_json_write_string(&writer, jrpc_slice_of(NULL, 0));
    jrpc_json_write_end_object(&writer);
    assert_written(&buffer, "{\"a\":[null,true,false,[],{}],\"b\\u0000\\\"\":-9223372036854775808,"
                            "\"c\":\"x\",\"d\":1.0,\"e\":\"\"}");
    jrpc_buffer_done(&buffer);
}

static void strings_are_escaped_as_little_as_json_allows(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice content;
        const char *quoted;
    } table[] = {
        {JRPC_SLICE_INIT(""), "\"\""},
        {JRPC_SLICE_INIT("a/b\x7F"), "\"a/b\x7F\""},
        {JRPC_SLICE_INIT("\"\\\b\f\n\r\t"), "\"\\\"\\\\\\b\\f\\n\\r\\t\""},
        {JRPC_SLICE_INIT("\0\x01\x1F"), "\"\\u0000\\u0001\\u001f\""},
        {JRPC_SLICE_INIT("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
         "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\""},
        {JRPC_SLICE_INIT("\xED\xA0\xBD-\xED\xB8\x80"), "\"\\ud83d-\\ude00\""},
        {JRPC_SLICE_INIT("\xED\xA0"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {JRPC_SLICE_INIT("a\xFFz"), "\"a\xEF\xBF\xBDz\""},
        {JRPC_SLICE_INIT("\xC0\xAF"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
    };
    jrpc_buffer buffer;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), ROOM);
    for (size_t i = 0; i < LENGTH(table); i++) {
        jrpc_buffer_clear(&buffer);
        assert_true(jrpc_json_quote(&buffer, table[i].content));
        assert_written(&buffer, table[i].quoted);
    }
    jrpc_buffer_done(&buffer);
}

static void every_content_survives_quoting_and_reading(void **state)
{
    (void)state;
    jrpc_buffer buffer;
    jrpc_json_document document;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (unsigned byte = 0; byte < 0x80; byte++) {
        for (size_t len = 1; len < 40; len++) {
            char content[40];
            memset(content, 'x', sizeof content);
            content[len - 1] = (char)byte;
            content[len / 2] = (char)byte;
            jrpc_buffer_clear(&buffer);
            assert_true(jrpc_json_quote(&buffer, jrpc_slice_of(content, len)));
            assert_true(jrpc_json_read(&document, jrpc_buffer_slice(&buffer), 0, NULL));
            assert_true(
                jrpc_json_string_is(jrpc_json_root(&document), jrpc_slice_of(content, len)));
        }
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&buffer);
}

static void a_value_is_copied_token_by_token_without_white_space(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {" 1.0 ", "1.0"},
        {" { \"a\" : [ 1.50e+2 , -0 ] ,\n\t\"a\" : \"x \\\" y \\\\\" , \"\\u0061\":null } ",
         "{\"a\":[1.50e+2,-0],\"a\":\"x \\\" y \\\\\",\"\\u0061\":null}"},
        {"[ ]", "[]"},
        {"\"  spaces,\\n inside  \"", "\"  spaces,\\n inside  \""},
        {"[\"\\\\\" , \"\\\\\\\"\" ]", "[\"\\\\\",\"\\\\\\\"\"]"},
    };
    jrpc_buffer buffer;
    jrpc_json_document document;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < LENGTH(table); i++) {
        jrpc_buffer_clear(&buffer);
        assert_true(jrpc_json_read(&document, jrpc_slice_str(table[i][0]), 8, NULL));
        assert_true(jrpc_json_compact(&buffer, jrpc_json_root(&document)));
        assert_written(&buffer, table[i][1]);
    }
    jrpc_buffer_clear(&buffer);
    jrpc_json_writer writer;
    jrpc_json_writer_init(&writer, &buffer);
    assert_true(jrpc_json_read(&document, JRPC_SLICE("{\"p\": [ 1, 2 ]}"), 8, NULL));
    jrpc_json_write_begin_array(&writer);
    jrpc_json_write_value(&writer, jrpc_json_get(jrpc_json_root(&document), "p"));
    jrpc_json_write_value(&writer, jrpc_json_root(&document));
    jrpc_json_write_end_array(&writer);
    assert_written(&buffer, "[[1,2],{\"p\":[1,2]}]");
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&buffer);
}

static void nesting_past_the_writers_depth_fails(void **state)
{
    (void)state;
    for (unsigned levels = JRPC_JSON_WRITER_DEPTH; levels <= JRPC_JSON_WRITER_DEPTH + 2; levels++) {
        jrpc_buffer buffer;
        jrpc_json_writer writer;
        jrpc_buffer_init(&buffer, jrpc_allocator_heap(), ROOM);
        jrpc_json_writer_init(&writer, &buffer);
        for (unsigned i = 0; i < levels; i++) {
            jrpc_json_write_begin_array(&writer);
        }
        jrpc_json_write_null(&writer);
        for (unsigned i = 0; i < levels; i++) {
            jrpc_json_write_end_array(&writer);
        }
        assert_int_equal(buffer.failed, levels > JRPC_JSON_WRITER_DEPTH);
        jrpc_buffer_done(&buffer);
    }
}

static void a_full_buffer_fails_every_kind_of_write(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, JRPC_SLICE("[1, \"\\n\", {}]"), 8, NULL));
    const size_t needed = strlen("[\"a\\n\xC3\xA9\",-5,[1,\"\\n\",{}]]");
    for (size_t maximum = 0; maximum <= needed; maximum++) {
        jrpc_buffer buffer;
        jrpc_json_writer writer;
        jrpc_buffer_init(&buffer, jrpc_allocator_heap(), maximum);
        jrpc_json_writer_init(&writer, &buffer);
        jrpc_json_write_begin_array(&writer);
        jrpc_json_write_str(&writer, "a\n\xC3\xA9");
        jrpc_json_write_int(&writer, -5);
        jrpc_json_write_value(&writer, jrpc_json_root(&document));
        jrpc_json_write_end_array(&writer);
        assert_int_equal(buffer.failed, maximum < needed);
        assert_true(buffer.len <= maximum);
        jrpc_buffer_done(&buffer);
    }
    jrpc_json_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators_are_the_writers_business),
        cmocka_unit_test(strings_are_escaped_as_little_as_json_allows),
        cmocka_unit_test(every_content_survives_quoting_and_reading),
        cmocka_unit_test(a_value_is_copied_token_by_token_without_white_space),
        cmocka_unit_test(nesting_past_the_writers_depth_fails),
        cmocka_unit_test(a_full_buffer_fails_every_kind_of_write),
    };
    return cmocka_run_group_tests_name("json/write", tests, NULL, NULL);
}
