// Text of a peer, made safe for where it is printed.
#include "tests/unit/report/report_test.h"

#include "harness/report/safe.h"
#include "reference/base/utf8.h"

// A small generator of its own: the same bytes on every machine.
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void assert_safe(jck_safe_place place, jrpc_slice text, const char *expected)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 16);
    assert_true(jck_safe_append(&out, place, text));
    assert_true(jrpc_buffer_append_char(&out, '\0'));
    assert_string_equal(out.ptr, expected);
    jrpc_buffer_done(&out);
}

static void what_prints_as_itself_stays(void **state)
{
    (void)state;
    assert_safe(JCK_SAFE_PLAIN, JRPC_SLICE("{\"a\":[1,\"\\n\"]} <&> | `x` #1"),
                "{\"a\":[1,\"\\n\"]} <&> | `x` #1");
    assert_safe(JCK_SAFE_PLAIN, JRPC_SLICE("é 日本 😀 → …"), "é 日本 😀 → …");
    assert_safe(JCK_SAFE_PLAIN, JRPC_SLICE(""), "");
}

static void what_does_not_is_spelled_byte_by_byte(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice text;
        const char *expected;
    } table[] = {
        {JRPC_SLICE_INIT("\033[2J\a"), "\\x1b[2J\\x07"},
        {JRPC_SLICE_INIT("a\0b\r\n\tc"), "a\\x00b\\x0d\\x0a\\x09c"},
        {JRPC_SLICE_INIT("\x7f"), "\\x7f"},
        {JRPC_SLICE_INIT("\xc2\x9b"), "\\xc2\\x9b"},                   // CSI as a C1 control
        {JRPC_SLICE_INIT("\xe2\x80\xae"), "\\xe2\\x80\\xae"},          // right-to-left override
        {JRPC_SLICE_INIT("\xe2\x81\xa6"), "\\xe2\\x81\\xa6"},          // left-to-right isolate
        {JRPC_SLICE_INIT("\xe2\x80\x8b"), "\\xe2\\x80\\x8b"},          // zero width space
        {JRPC_SLICE_INIT("\xe2\x80\xa8"), "\\xe2\\x80\\xa8"},          // line separator
        {JRPC_SLICE_INIT("\xef\xbb\xbf"), "\\xef\\xbb\\xbf"},          // byte-order mark
        {JRPC_SLICE_INIT("\xef\xbf\xbf"), "\\xef\\xbf\\xbf"},          // no character
        {JRPC_SLICE_INIT("\xf3\xa0\x81\x81"), "\\xf3\\xa0\\x81\\x81"}, // tag letter
        {JRPC_SLICE_INIT("\xed\xa0\x80"), "\\xed\\xa0\\x80"},          // a surrogate
        {JRPC_SLICE_INIT("\xc0\xaf\xff\xe2\x80"), "\\xc0\\xaf\\xff\\xe2\\x80"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_safe(JCK_SAFE_PLAIN, table[i].text, table[i].expected);
    }
}

static void the_spelling_cannot_be_imitated(void **state)
{
    (void)state;
    assert_safe(JCK_SAFE_PLAIN, JRPC_SLICE("\\x1b"), "\\x5cx1b");
    assert_safe(JCK_SAFE_PLAIN, JRPC_SLICE("\\\\x"), "\\\\x5cx");
    assert_safe(JCK_SAFE_PLAIN, JRPC_SLICE("\\u001b"), "\\u001b");
    assert_safe(JCK_SAFE_PLAIN, JRPC_SLICE("\\"), "\\");
}

static void a_sentence_keeps_what_is_spelled_in_it(void **state)
{
    (void)state;
    static const struct {
        jck_safe_place place;
        jrpc_slice sentence;
        size_t max;
        const char *expected;
    } table[] = {
        {JCK_SAFE_PLAIN, JRPC_SLICE_INIT("\\x0a \\xff \\x5cx41"), 99, "\\x0a \\xff \\x5cx41"},
        {JCK_SAFE_PLAIN, JRPC_SLICE_INIT("\\x0A \\xg0 \\x1"), 99, "\\x5cx0A \\x5cxg0 \\x5cx1"},
        {JCK_SAFE_PLAIN, JRPC_SLICE_INIT("\033[2J"), 99, "\\x1b[2J"},
        {JCK_SAFE_HTML, JRPC_SLICE_INIT("<\\x0a>"), 99, "&lt;\\x0a&gt;"},
        {JCK_SAFE_MARKDOWN, JRPC_SLICE_INIT("\\x0a"), 99, "&#92;x0a"},
        {JCK_SAFE_TAP, JRPC_SLICE_INIT("\\x0a"), 99, "\\\\x0a"},
        {JCK_SAFE_PLAIN, JRPC_SLICE_INIT("\\x0ab"), 4, "\\x0a… (5 bytes in all)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1024);
        assert_true(
            jck_safe_append_sentence(&out, table[i].place, table[i].sentence, table[i].max));
        assert_int_equal(out.len, strlen(table[i].expected));
        assert_memory_equal(out.ptr, table[i].expected, out.len);
        jrpc_buffer_done(&out);
    }
}

static void markup_of_each_place_is_escaped(void **state)
{
    (void)state;
    assert_safe(JCK_SAFE_XML, JRPC_SLICE("]]><a b=\"c\">&'\x01"),
                "]]&gt;&lt;a b=&quot;c&quot;&gt;&amp;'\\x01");
    assert_safe(JCK_SAFE_MARKDOWN, JRPC_SLICE("|`<b>\x01"), "&#124;&#96;&#60;b&#62;&#92;x01");
    assert_safe(JCK_SAFE_MARKDOWN, JRPC_SLICE("@a #1"), "&#64;a &#35;1");
    assert_safe(JCK_SAFE_MARKDOWN, JRPC_SLICE("www.a"), "www&#46;a");
    assert_safe(JCK_SAFE_MARKDOWN, JRPC_SLICE("J2-5.1a batch/empty"), "J2-5.1a batch/empty");
    assert_safe(JCK_SAFE_MARKDOWN, JRPC_SLICE("- 1."), "&#45; 1&#46;");
    assert_safe(JCK_SAFE_TAP, JRPC_SLICE("a # SKIP \\\x01"), "a \\# SKIP \\\\\\\\x01");
    assert_safe(JCK_SAFE_JSON, JRPC_SLICE("\"\\\x01\\x"), "\\\"\\\\\\u0001\\\\x");
    assert_safe(JCK_SAFE_JSON, JRPC_SLICE("\xe2\x80\xae\xf3\xa0\x81\x81\xff"),
                "\\u202e\\udb40\\udc41\\ufffd");
}

// What every place must keep, whatever it is fed.
static void assert_harmless(jck_safe_place place, jrpc_slice text)
{
    for (size_t at = 0; at < text.len;) {
        size_t len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
        assert_true(len > 0);
        unsigned char byte = (unsigned char)text.ptr[at];
        assert_true(byte >= 0x20 && byte != 0x7f);
        assert_false(byte == 0xc2 && (unsigned char)text.ptr[at + 1] < 0xa0);
        if (place == JCK_SAFE_XML || place == JCK_SAFE_MARKDOWN) {
            assert_true(byte != '<' && byte != '>' && byte != '"');
        }
        if (place == JCK_SAFE_MARKDOWN) {
            assert_true(byte == '&' || byte == '#' || byte == ';' ||
                        strchr("\\`*_[]()|~!@$:=+", byte) == NULL);
        }
        at += len;
    }
}

static void random_bytes_come_out_harmless_everywhere(void **state)
{
    (void)state;
    uint32_t random = 7;
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 16);
    for (int round = 0; round < 5000; round++) {
        // Few distinct bytes, so that well-formed sequences come up.
        static const char alphabet[] =
            "\xe2\x80\xae\xc2\x9b\xf0\x9f\x98\x80\xed\xa0\xff\0\033<>&\"|`\\x#a ";
        char text[24];
        size_t len = next_random(&random) % sizeof text;
        for (size_t i = 0; i < len; i++) {
            text[i] = alphabet[next_random(&random) % (sizeof alphabet - 1)];
        }
        for (int place = JCK_SAFE_PLAIN; place <= JCK_SAFE_JSON; place++) {
            jrpc_buffer_clear(&out);
            assert_true(jck_safe_append(&out, (jck_safe_place)place, jrpc_slice_of(text, len)));
            assert_harmless((jck_safe_place)place, jrpc_buffer_slice(&out));
        }
    }
    jrpc_buffer_done(&out);
}

static void a_cut_is_reported_and_never_parts_a_character(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t max, true_len;
        const char *expected;
    } table[] = {
        {"abc", 3, 3, "abc"},
        {"abcd", 3, 4, "abc… (4 bytes in all)"},
        {"abc", 9, 70, "abc… (70 bytes in all)"},
        {"ab\xe2\x86\x92", 4, 5, "ab… (5 bytes in all)"},
        {"ab\xe2\x86\x92", 5, 5, "ab\xe2\x86\x92"},
        {"\x80\x80\x80\x80\x80", 4, 5, "\\x80\\x80\\x80\\x80… (5 bytes in all)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 16);
        assert_true(jck_safe_append_capped(&out, JCK_SAFE_PLAIN, jrpc_slice_str(table[i].text),
                                           table[i].max, table[i].true_len));
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&out), table[i].expected));
        jrpc_buffer_done(&out);
    }
}

// Long texts are printed in pieces; where the pieces meet must not show.
static void printing_says_the_same_as_appending(void **state)
{
    (void)state;
    static const char *const units[] = {"a", "\\x1b", "→", "\\", "😀", "\xff", "\x80"};
    for (size_t unit = 0; unit < sizeof units / sizeof units[0]; unit++) {
        for (size_t shift = 0; shift < 5; shift++) {
            jrpc_buffer text;
            jrpc_buffer_init(&text, jrpc_allocator_heap(), 1 << 20);
            for (size_t i = 0; i < shift; i++) {
                jrpc_buffer_append_char(&text, '.');
            }
            while (text.len < 20000) {
                jrpc_buffer_append_str(&text, units[unit]);
            }
            jrpc_buffer whole;
            jrpc_buffer_init(&whole, jrpc_allocator_heap(), 1 << 20);
            assert_true(jck_safe_append(&whole, JCK_SAFE_PLAIN, jrpc_buffer_slice(&text)));
            char *printed = NULL;
            size_t len = 0;
            FILE *out = open_memstream(&printed, &len);
            assert_non_null(out);
            assert_true(jck_print_safe(out, jrpc_buffer_slice(&text)));
            assert_int_equal(fclose(out), 0);
            assert_true(jrpc_slice_equal(jrpc_slice_of(printed, len), jrpc_buffer_slice(&whole)));
            free(printed);
            jrpc_buffer_done(&whole);
            jrpc_buffer_done(&text);
        }
    }
}

static void printing_to_a_full_disk_fails_at_once(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (full == NULL) {
        skip(); // only Linux has it
    }
    assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
    char text[10000];
    memset(text, 'a', sizeof text);
    assert_false(jck_print_safe(full, jrpc_slice_of(text, sizeof text)));
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_prints_as_itself_stays),
        cmocka_unit_test(what_does_not_is_spelled_byte_by_byte),
        cmocka_unit_test(the_spelling_cannot_be_imitated),
        cmocka_unit_test(a_sentence_keeps_what_is_spelled_in_it),
        cmocka_unit_test(markup_of_each_place_is_escaped),
        cmocka_unit_test(random_bytes_come_out_harmless_everywhere),
        cmocka_unit_test(a_cut_is_reported_and_never_parts_a_character),
        cmocka_unit_test(printing_says_the_same_as_appending),
        cmocka_unit_test(printing_to_a_full_disk_fails_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
