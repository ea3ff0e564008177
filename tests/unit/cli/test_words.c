// Words quoted for a shell, and numbers.
#include "harness/cli/number.h"
#include "harness/cli/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *word;
    const char *quoted;
} words[] = {
    {"./my-server", "./my-server"},
    {"a=b:c,d@e+f%g", "a=b:c,d@e+f%g"},
    {"", "''"},
    {"two words", "'two words'"},
    {"it's", "'it'\\''s'"},
    {"$HOME", "'$HOME'"},
    {"a\nb", "'a\nb'"},
    {"~", "'~'"},
    {"*", "'*'"},
    {"\\", "'\\'"},
    {"\xc3\xa9", "'\xc3\xa9'"},
};

static void a_word_is_read_back_by_a_shell_as_it_was(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 64);
        assert_true(jck_quote_word(&out, words[i].word));
        assert_true(jrpc_buffer_append_char(&out, '\0'));
        assert_string_equal(out.ptr, words[i].quoted);
        jrpc_buffer_done(&out);
    }
}

static void bytes_become_the_format_of_a_printf(void **state)
{
    (void)state;
    static const char bytes[] = "{\"a\":'%\\'}\r\n\0\x1b\xff"
                                "1";
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 256);
    assert_true(jck_quote_printf(&out, jrpc_slice_of(bytes, sizeof bytes - 1)));
    assert_true(jrpc_buffer_append_char(&out, '\0'));
    assert_string_equal(out.ptr, "'{\"a\":\\047%%\\\\\\047}\\r\\n\\000\\033\\3771'");
    jrpc_buffer_done(&out);
}

static void numbers_are_digits_within_their_range(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t least, most;
        bool taken;
    } rows[] = {
        {"0", 0, 0, true},
        {"007", 7, 7, true},
        {"18446744073709551615", 0, UINT64_MAX, true},
        {"18446744073709551616", 0, UINT64_MAX, false},
        {"184467440737095516150", 0, UINT64_MAX, false},
        {"5", 6, 9, false},
        {"10", 6, 9, false},
        {"", 0, 9, false},
        {"+1", 0, 9, false},
        {"-1", 0, 9, false},
        {" 1", 0, 9, false},
        {"1 ", 0, 9, false},
        {"0x1", 0, 9, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t number = 42;
        if (jck_number(rows[i].text, rows[i].least, rows[i].most, &number) != rows[i].taken) {
            fail_msg("'%s'", rows[i].text);
        }
        assert_true(rows[i].taken || number == 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_read_back_by_a_shell_as_it_was),
        cmocka_unit_test(bytes_become_the_format_of_a_printf),
        cmocka_unit_test(numbers_are_digits_within_their_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
