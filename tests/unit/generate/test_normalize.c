// The usual spelling of a text: equal to it, and the same for whatever other spelling it had.
#include "harness/generate/normalize.h"

#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 200, ROOM = 1 << 16 };

static const struct {
    unsigned what;
    const char *text, *usual;
} rows[] = {
    {JCK_RESPELL_SPACE, " { \"a b\" :\t[ 1 , 2 ]\n}", "{\"a b\":[1,2]}"},
    {JCK_RESPELL_SPACE, "[\"\\\" \"  ]", "[\"\\\" \"]"},
    {JCK_RESPELL_ESCAPES, "[\"\\u0061\\/\\u00E9\\u20ac\\ud83d\\ude00\"]",
     "[\"a/\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"]"},
    {JCK_RESPELL_ESCAPES, "\"\\u0022\\u005c\\u0000\\ud800\\n\\\\u0061\"",
     "\"\\u0022\\u005c\\u0000\\ud800\\n\\\\u0061\""},
    {JCK_RESPELL_ORDER, "{\"id\":1,\"x\":{},\"params\":[],\"method\":\"m\",\"jsonrpc\":\"2.0\"}",
     "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[],\"id\":1,\"x\":{}}"},
    {JCK_RESPELL_ORDER, "[{\"id\":1,\"m\\u0065thod\":\"m\"},7]",
     "[{\"m\\u0065thod\":\"m\",\"id\":1},7]"},
    {JCK_RESPELL_ORDER, "[]", "[]"},
    {JCK_RESPELL_ORDER | JCK_RESPELL_SPACE, "{ ]", "{]"},
};

static void test_each_liberty_is_taken_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
        assert_true(jck_normalize(jrpc_slice_str(rows[i].text), rows[i].what, &out));
        (void)jrpc_buffer_append_char(&out, '\0');
        assert_string_equal(out.ptr, rows[i].usual);
        jrpc_buffer_done(&out);
    }
}

static void test_other_spellings_come_back_to_the_same_one(void **state)
{
    (void)state;
    static const char message[] = "{\"jsonrpc\":\"2.0\",\"method\":\"a b\",\"params\":[\"\xC3\xA9 "
                                  "\\\\\",{\"x\":1}],\"id\":7}";
    const unsigned all = JCK_RESPELL_SPACE | JCK_RESPELL_ORDER | JCK_RESPELL_ESCAPES;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(message), JRPC_LIMIT_DEPTH, NULL));
    size_t same = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        jrpc_random random;
        jrpc_buffer other;
        jrpc_buffer usual;
        jrpc_random_init(&random, seed);
        jrpc_buffer_init(&other, jrpc_allocator_heap(), ROOM);
        jrpc_buffer_init(&usual, jrpc_allocator_heap(), ROOM);
        assert_true(jck_respell(jrpc_json_root(&document), all, &random, &other));
        // Escaped names are found only when they are spelled as usual.
        assert_true(jck_normalize(jrpc_buffer_slice(&other), all, &usual));
        same += jrpc_slice_is(jrpc_buffer_slice(&usual), message) ? 1 : 0;
        jrpc_buffer_done(&usual);
        jrpc_buffer_done(&other);
    }
    assert_int_equal(same, ROUNDS);
    jrpc_json_document_done(&document);
}

static void test_without_room_it_fails(void **state)
{
    (void)state;
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 4);
    assert_false(jck_normalize(JRPC_SLICE("[1,2,3,4]"), JCK_RESPELL_SPACE, &out));
    jrpc_buffer_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_liberty_is_taken_back),
        cmocka_unit_test(test_other_spellings_come_back_to_the_same_one),
        cmocka_unit_test(test_without_room_it_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
