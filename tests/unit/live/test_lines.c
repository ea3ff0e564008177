// Lines on standard error: which part is new, and which lines are of one kind.
#include "harness/live/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_what_is_new_follows_what_was_there(void **state)
{
    (void)state;
    static const struct {
        const char *before, *now, *fresh;
    } rows[] = {
        {"", "", ""},
        {"", "one\n", "one\n"},
        {"one\n", "one\n", ""},
        {"one\n", "one\ntwo\n", "two\n"},
        {"one\n", "one\none\n", "one\n"},
        {"one\ntwo\n", "two\nthree\n", "three\n"},
        {"one\ntwo\n", "e\ntwo\nthree\n", "three\n"},
        {"abc", "xyz", "xyz"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_slice fresh =
            jck_lines_new(jrpc_slice_str(rows[i].before), jrpc_slice_str(rows[i].now));
        if (!jrpc_slice_is(fresh, rows[i].fresh)) {
            fail_msg("row %zu: %.*s", i, (int)fresh.len, fresh.ptr);
        }
    }
}

static void test_a_text_is_cut_into_whole_lines(void **state)
{
    (void)state;
    jrpc_slice text = JRPC_SLICE("one\n\nthree\nfo");
    jrpc_slice line;
    assert_true(jck_lines_next(&text, &line) && jrpc_slice_is(line, "one"));
    assert_true(jck_lines_next(&text, &line) && line.len == 0);
    assert_true(jck_lines_next(&text, &line) && jrpc_slice_is(line, "three"));
    assert_false(jck_lines_next(&text, &line));
    assert_true(jrpc_slice_is(text, "fo"));
}

static void test_lines_that_differ_in_digits_and_quotes_are_of_one_kind(void **state)
{
    (void)state;
    const uint64_t kind = jck_lines_kind(JRPC_SLICE("12:30 no method \"sum\""));
    assert_true(kind == jck_lines_kind(JRPC_SLICE("12:31 no method \"echo\"")));
    assert_true(kind != jck_lines_kind(JRPC_SLICE("12:31 a method \"echo\"")));
    assert_true(jck_lines_has(JRPC_SLICE("hello\n1:2 no method \"x\"\n"), kind));
    assert_false(jck_lines_has(JRPC_SLICE("hello\n1:2 no method \"x\""), kind)); // not whole
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_new_follows_what_was_there),
        cmocka_unit_test(test_a_text_is_cut_into_whole_lines),
        cmocka_unit_test(test_lines_that_differ_in_digits_and_quotes_are_of_one_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
