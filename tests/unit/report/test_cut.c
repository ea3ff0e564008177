// Long text: what is shown of it, and where two texts differ.
#include "tests/unit/report/report_test.h"

#include "harness/report/cut.h"

#define LETTERS "abcdefghijklmnopqrst"

static void what_matters_of_a_long_text_is_shown(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t true_len, max, from, to;
        const char *shown;
    } table[] = {
        {"abcdefghi", 9, 9, 0, 0, "abcdefghi"},
        {"abcdefghij", 10, 9, 0, 0, "abcdef…hij (10 bytes)"},
        {LETTERS, 20, 9, 0, 0, "abcdef…rst (20 bytes)"},
        // The difference is between the beginning and the end.
        {LETTERS, 20, 9, 10, 12, "abc…jkl…rst (20 bytes)"},
        {LETTERS, 20, 9, 3, 4, "abcde…rst (20 bytes)"},
        {LETTERS, 20, 9, 4, 5, "abcdef…rst (20 bytes)"},
        {LETTERS, 20, 9, 5, 6, "abc…efg…rst (20 bytes)"},
        {"abcdefghijkl", 12, 9, 8, 9, "abc…hijkl (12 bytes)"},
        // The difference is in the part that is shown anyway.
        {LETTERS, 20, 9, 0, 1, "abc…rst (20 bytes)"},
        {LETTERS, 20, 9, 19, 20, "abc…rst (20 bytes)"},
        {LETTERS, 20, 9, 20, 20, "abcdef…rst (20 bytes)"},
        // The end of a text that was not kept whole cannot be shown.
        {"abcdefgh", 100, 9, 0, 0, "abcdef… (100 bytes)"},
        {"abc", 100, 9, 0, 0, "abc… (100 bytes)"},
        {LETTERS, 100, 9, 99, 100, "abcdef… (100 bytes)"},
        // No character is cut: each of these has three bytes.
        {"€€€€", 12, 6, 0, 0, "€…€ (12 bytes)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1000);
        jck_append_cut(&out, JCK_SAFE_PLAIN, jrpc_slice_str(table[i].bytes), table[i].true_len,
                       table[i].max, table[i].from, table[i].to);
        if (!jrpc_slice_is(jrpc_buffer_slice(&out), table[i].shown)) {
            fail_msg("row %zu: expected %s, got %.*s", i, table[i].shown, (int)out.len, out.ptr);
        }
        jrpc_buffer_done(&out);
    }
}

static void a_difference_is_what_is_left_between_equal_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text, *other;
        size_t from, to;
    } table[] = {
        {"abc", "abc", 3, 3},  {"abXc", "abc", 2, 3},   {"abc", "abXc", 2, 2},
        {"aXb", "aYYb", 1, 2}, {"", "x", 0, 0},         {"x", "", 0, 1},
        {"aa", "a", 1, 2},     {"abcabc", "abc", 3, 6}, {"Xbc", "Ybc", 0, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t from;
        size_t to;
        jck_difference_of(jrpc_slice_str(table[i].text), jrpc_slice_str(table[i].other), &from,
                          &to);
        assert_int_equal(from, table[i].from);
        assert_int_equal(to, table[i].to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matters_of_a_long_text_is_shown),
        cmocka_unit_test(a_difference_is_what_is_left_between_equal_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
