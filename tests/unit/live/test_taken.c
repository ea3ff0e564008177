// The ids of the messages in flight: which are taken, and that they are given back.
#include "harness/live/taken.h"

#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static jck_taken taken;

static bool add(char connection, uint16_t owner, const char *text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(text), 16, NULL));
    bool free = jck_taken_add(&taken, connection, owner, jrpc_json_root(&document));
    jrpc_json_document_done(&document);
    return free;
}

static void test_an_id_is_taken_once_on_a_connection(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        bool free;
    } rows[] = {
        {"{\"id\":1}", "{\"id\":1}", false},
        {"{\"id\":1}", "{\"id\":10e-1}", false},
        {"{\"id\":0}", "{\"id\":-0.0}", false},
        {"{\"id\":1}", "{\"id\":\"1\"}", true},
        {"{\"id\":\"a\"}", "{\"id\":\"\\u0061\"}", false},
        {"{\"id\":\"\\u0061\"}", "{\"id\":\"b\"}", true},
        {"{\"id\":1}", "[2,{\"id\":1}]", false},
        {"[{\"id\":1},{\"id\":1}]", "{\"id\":2}", true},
        {"[{\"id\":1},{\"id\":2}]", "[{\"id\":3},{\"id\":2}]", false},
        // No Response has such ids, or any may have them.
        {"{\"id\":null}", "{\"id\":null}", true},
        {"{\"id\":[1]}", "{\"id\":[1]}", true},
        {"{\"params\":{\"id\":1}}", "{\"id\":1}", true},
        {"5", "\"5\"", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jck_taken_return(&taken, 0);
        assert_true(add('a', 0, rows[i].first));
        if (add('a', 1, rows[i].second) != rows[i].free) {
            fail_msg("%s, then %s", rows[i].first, rows[i].second);
        }
        assert_true(rows[i].free || add('b', 1, rows[i].second));
    }
    jck_taken_return(&taken, 0);
}

static void test_what_is_refused_takes_nothing(void **state)
{
    (void)state;
    assert_true(add('a', 0, "{\"id\":1}"));
    size_t before = taken.count;
    assert_false(add('a', 1, "[{\"id\":2},{\"id\":1}]"));
    assert_int_equal(taken.count, before);
    assert_true(add('a', 1, "{\"id\":2}"));
    jck_taken_return(&taken, before);
    assert_true(add('a', 1, "{\"id\":2}"));
    assert_false(add('a', 2, "{\"id\":1}"));
    jck_taken_return(&taken, 0);
    assert_true(add('a', 0, "{\"id\":1}"));
    jck_taken_return(&taken, 0);
}

static void test_there_is_room_for_so_many_and_no_more(void **state)
{
    (void)state;
    char text[64];
    for (unsigned i = 0; i < JCK_TAKEN_MOST; i++) {
        (void)snprintf(text, sizeof text, "{\"id\":%u}", i);
        assert_true(add('a', (uint16_t)i, text));
    }
    assert_false(add('a', UINT16_MAX, "{\"id\":\"one more\"}"));
    assert_false(add('a', UINT16_MAX, "{\"id\":77}"));
    assert_true(add('a', UINT16_MAX, "{\"id\":null}"));
    jck_taken_return(&taken, 0);
    for (size_t i = 0; i < JCK_TAKEN_SLOTS; i++) {
        assert_true(taken.keys[i] == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_id_is_taken_once_on_a_connection),
        cmocka_unit_test(test_what_is_refused_takes_nothing),
        cmocka_unit_test(test_there_is_room_for_so_many_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
