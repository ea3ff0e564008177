// The byte string with a maximum.
#include "reference/base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void appends_add_up(void **state)
{
    (void)state;
    jrpc_buffer buffer;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), 1000);
    assert_true(jrpc_buffer_append(&buffer, JRPC_SLICE("a\0b")));
    assert_true(jrpc_buffer_append(&buffer, jrpc_slice_of(NULL, 0)));
    assert_true(jrpc_buffer_append_str(&buffer, "cd"));
    assert_true(jrpc_buffer_append_char(&buffer, 'e'));
    assert_true(jrpc_buffer_printf(&buffer, "%d", 42));
    char *room = NULL;
    assert_true(jrpc_buffer_reserve(&buffer, 500, &room));
    memset(room, 'f', 500);
    jrpc_buffer_grew(&buffer, 2);
    assert_true(jrpc_slice_equal(jrpc_buffer_slice(&buffer), JRPC_SLICE("a\0bcde42ff")));
    jrpc_buffer_done(&buffer);
}

static void numbers_are_appended_in_decimal_digits(void **state)
{
    (void)state;
    static const struct {
        int64_t number;
        const char *digits;
    } rows[] = {{0, "0"},
                {7, "7"},
                {-1, "-1"},
                {10, "10"},
                {1000000, "1000000"},
                {INT64_MAX, "9223372036854775807"},
                {INT64_MIN, "-9223372036854775808"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_buffer buffer;
        jrpc_buffer_init(&buffer, jrpc_allocator_heap(), 20);
        assert_true(jrpc_buffer_append_number(&buffer, rows[i].number));
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&buffer), rows[i].digits));
        jrpc_buffer_done(&buffer);
    }
}

static void the_maximum_is_reached_exactly_and_never_passed(void **state)
{
    (void)state;
    for (size_t maximum = 0; maximum < 300; maximum++) {
        jrpc_buffer buffer;
        jrpc_buffer_init(&buffer, jrpc_allocator_heap(), maximum);
        for (size_t i = 0; i < maximum; i++) {
            assert_true(jrpc_buffer_append_char(&buffer, 'x'));
        }
        assert_false(buffer.failed);
        assert_false(jrpc_buffer_append_char(&buffer, 'y'));
        assert_true(buffer.failed);
        assert_int_equal(buffer.len, maximum);
        jrpc_buffer_done(&buffer);
    }
}

static void printf_fits_to_the_last_byte(void **state)
{
    (void)state;
    jrpc_buffer buffer;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), 100);
    assert_true(jrpc_buffer_printf(&buffer, "%0100d", 7));
    assert_int_equal(buffer.len, 100);
    assert_int_equal(buffer.ptr[99], '7');
    assert_false(jrpc_buffer_printf(&buffer, "%s", "x"));
    jrpc_buffer_done(&buffer);
}

static void after_a_failure_all_appends_fail_until_clear(void **state)
{
    (void)state;
    jrpc_buffer buffer;
    char *room = NULL;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), 4);
    assert_true(jrpc_buffer_append_str(&buffer, "ab"));
    assert_false(jrpc_buffer_append_str(&buffer, "cde"));
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&buffer), "ab"));
    // There is room for this, but the chain is broken.
    assert_false(jrpc_buffer_append_char(&buffer, 'c'));
    assert_false(jrpc_buffer_printf(&buffer, "c"));
    assert_false(jrpc_buffer_reserve(&buffer, 1, &room));
    assert_null(room);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&buffer), "ab"));
    jrpc_buffer_clear(&buffer);
    assert_true(jrpc_buffer_append_str(&buffer, "wxyz"));
    jrpc_buffer_done(&buffer);
}

static void a_failing_allocator_fails_the_append_and_keeps_the_content(void **state)
{
    (void)state;
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, 1);
    jrpc_buffer buffer;
    jrpc_buffer_init(&buffer, &failing.allocator, SIZE_MAX);
    assert_true(jrpc_buffer_append_str(&buffer, "kept"));
    assert_false(jrpc_buffer_printf(&buffer, "%1000d", 1));
    assert_true(buffer.failed);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&buffer), "kept"));
    jrpc_buffer_done(&buffer);
}

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    jrpc_buffer buffer;
    char *room = NULL;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), SIZE_MAX);
    assert_true(jrpc_buffer_append_char(&buffer, 'x'));
    assert_false(jrpc_buffer_reserve(&buffer, SIZE_MAX, &room));
    jrpc_buffer_done(&buffer);
}

static void consume_drops_the_front_and_truncate_the_end(void **state)
{
    (void)state;
    jrpc_buffer buffer;
    jrpc_buffer_init(&buffer, jrpc_allocator_heap(), 100);
    assert_true(jrpc_buffer_append_str(&buffer, "0123456789"));
    jrpc_buffer_consume(&buffer, 0);
    jrpc_buffer_consume(&buffer, 3);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&buffer), "3456789"));
    jrpc_buffer_truncate(&buffer, 2);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&buffer), "34"));
    jrpc_buffer_consume(&buffer, 2);
    assert_int_equal(buffer.len, 0);
    jrpc_buffer_done(&buffer);
    jrpc_buffer_done(&buffer);
    jrpc_buffer zeroed = {0};
    jrpc_buffer_done(&zeroed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_add_up),
        cmocka_unit_test(numbers_are_appended_in_decimal_digits),
        cmocka_unit_test(the_maximum_is_reached_exactly_and_never_passed),
        cmocka_unit_test(printf_fits_to_the_last_byte),
        cmocka_unit_test(after_a_failure_all_appends_fail_until_clear),
        cmocka_unit_test(a_failing_allocator_fails_the_append_and_keeps_the_content),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(consume_drops_the_front_and_truncate_the_end),
    };
    return cmocka_run_group_tests_name("base/buffer", tests, NULL, NULL);
}
