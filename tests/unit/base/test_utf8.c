// One UTF-8 sequence, and how much of one there is.
#include "reference/base/utf8.h"

#include "reference/base/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    jrpc_slice bytes;
    size_t length;
    size_t viable;
} table[] = {
    {JRPC_SLICE_INIT("\0"), 1, 1},
    {JRPC_SLICE_INIT("\x7F"), 1, 1},
    {JRPC_SLICE_INIT("\x80"), 0, 0},
    {JRPC_SLICE_INIT("\xC1\x80"), 0, 0},
    {JRPC_SLICE_INIT("\xC2\x80"), 2, 2},
    {JRPC_SLICE_INIT("\xC2\x80\x80"), 2, 2},
    {JRPC_SLICE_INIT("\xC2"), 0, 1},
    {JRPC_SLICE_INIT("\xC2\xC2"), 0, 1},
    {JRPC_SLICE_INIT("\xE0\x9F\xBF"), 0, 1},
    {JRPC_SLICE_INIT("\xE0\xA0\x80"), 3, 3},
    {JRPC_SLICE_INIT("\xE0\xA0"), 0, 2},
    {JRPC_SLICE_INIT("\xED\x9F\xBF"), 3, 3},
    {JRPC_SLICE_INIT("\xED\xA0\x80"), 0, 1},
    {JRPC_SLICE_INIT("\xEF\xBF\xBF"), 3, 3},
    {JRPC_SLICE_INIT("\xF0\x8F\xBF\xBF"), 0, 1},
    {JRPC_SLICE_INIT("\xF0\x90\x80\x80"), 4, 4},
    {JRPC_SLICE_INIT("\xF0\x90\x80"), 0, 3},
    {JRPC_SLICE_INIT("\xF0\x90\x80\x28"), 0, 3},
    {JRPC_SLICE_INIT("\xF4\x8F\xBF\xBF"), 4, 4},
    {JRPC_SLICE_INIT("\xF4\x90\x80\x80"), 0, 1},
    {JRPC_SLICE_INIT("\xF5\x80\x80\x80"), 0, 0},
    {JRPC_SLICE_INIT("\xFF"), 0, 0},
};

static void sequences_are_recognized_and_broken_ones_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t viable = 99;
        size_t length = jrpc_utf8_sequence(table[i].bytes.ptr, table[i].bytes.len, &viable);
        if (length != table[i].length || viable != table[i].viable) {
            fail_msg("row %zu: %zu, %zu", i, length, viable);
        }
        assert_int_equal(jrpc_utf8_sequence(table[i].bytes.ptr, table[i].bytes.len, NULL), length);
    }
}

static void code_points_are_written_with_as_few_bytes_as_hold_them(void **state)
{
    (void)state;
    static const struct {
        uint32_t code;
        jrpc_slice bytes;
    } rows[] = {
        {0x00, JRPC_SLICE_INIT("\0")},
        {0x7F, JRPC_SLICE_INIT("\x7F")},
        {0x80, JRPC_SLICE_INIT("\xC2\x80")},
        {0x7FF, JRPC_SLICE_INIT("\xDF\xBF")},
        {0x800, JRPC_SLICE_INIT("\xE0\xA0\x80")},
        {0xD800, JRPC_SLICE_INIT("\xED\xA0\x80")},
        {0xFFFF, JRPC_SLICE_INIT("\xEF\xBF\xBF")},
        {0x10000, JRPC_SLICE_INIT("\xF0\x90\x80\x80")},
        {0x10FFFF, JRPC_SLICE_INIT("\xF4\x8F\xBF\xBF")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char bytes[4];
        size_t len = jrpc_utf8_encode(rows[i].code, bytes);
        assert_int_equal(len, rows[i].bytes.len);
        assert_memory_equal(bytes, rows[i].bytes.ptr, len);
    }
}

static void a_text_is_cut_between_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t places[9]; // for each place, where it is cut
    } rows[] = {
        {"abc", {0, 1, 2, 3}},
        {"\xC3\xA9z", {0, 0, 2, 3}},
        {"\xE2\x82\xACz", {0, 0, 0, 3, 4}},
        {"\xF0\x9F\x98\x80z", {0, 0, 0, 0, 4, 5}},
        // Bytes that continue nothing, after a character.
        {"\xF0\x9F\x98\x80\x9F\x98\x80z", {0, 0, 0, 0, 4, 5, 6, 7, 8}},
        {"\xF0\x9F\x98", {0, 1, 2, 3}},
        {"\x80\x80\x80\x80", {0, 1, 2, 3, 4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = strlen(rows[i].text);
        for (size_t at = 0; at <= len; at++) {
            size_t cut = jrpc_utf8_boundary(rows[i].text, len, at);
            if (cut != rows[i].places[at]) {
                fail_msg("row %zu at %zu: %zu, expected %zu", i, at, cut, rows[i].places[at]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_are_recognized_and_broken_ones_measured),
        cmocka_unit_test(a_text_is_cut_between_characters),
        cmocka_unit_test(code_points_are_written_with_as_few_bytes_as_hold_them),
    };
    return cmocka_run_group_tests_name("base/utf8", tests, NULL, NULL);
}
