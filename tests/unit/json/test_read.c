// What the reader accepts, and code and offset of every error.
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

// A copy without a byte after it, so that reading past the end is caught by the sanitizers.
static bool read_exactly(jrpc_slice text, uint32_t max_depth, jrpc_error *error)
{
    char *copy = malloc(text.len == 0 ? 1 : text.len);
    assert_non_null(copy);
    if (text.len > 0) {
        memcpy(copy, text.ptr, text.len);
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, jrpc_slice_of(copy, text.len), max_depth, error);
    assert_int_equal(document.count > 0, read);
    assert_int_equal(jrpc_json_exists(jrpc_json_root(&document)), read);
    jrpc_json_document_done(&document);
    free(copy);
    return read;
}

static const jrpc_slice accepted[] = {
    JRPC_SLICE_INIT("null"),
    JRPC_SLICE_INIT("true"),
    JRPC_SLICE_INIT("false"),
    JRPC_SLICE_INIT(" \t\r\n0 \t\r\n"),
    JRPC_SLICE_INIT("-0"),
    JRPC_SLICE_INIT("-0.0e-0"),
    JRPC_SLICE_INIT("1E+2"),
    JRPC_SLICE_INIT("0e1"),
    JRPC_SLICE_INIT("123.456e789"),
    JRPC_SLICE_INIT("1e99999999999999999999"),
    JRPC_SLICE_INIT("\"\""),
    JRPC_SLICE_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uaBcD\""),
    JRPC_SLICE_INIT("\"\x7f\""),
    JRPC_SLICE_INIT("\"\\ud83d\\ude00\""),
    JRPC_SLICE_INIT("\"\\ud83d\""),
    JRPC_SLICE_INIT("\"\\ude00\\ud83d\""),
    JRPC_SLICE_INIT("\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\""),
    JRPC_SLICE_INIT("\"\xF0\x90\x80\x80\xF1\x80\x80\x80\xF4\x8F\xBF\xBF\""),
    JRPC_SLICE_INIT("[]"),
    JRPC_SLICE_INIT("[ ]"),
    JRPC_SLICE_INIT("{}"),
    JRPC_SLICE_INIT("{ }"),
    JRPC_SLICE_INIT("[[],{},[[]]]"),
    JRPC_SLICE_INIT("{\"a\":1,\"a\":2,\"\":{}}"),
    JRPC_SLICE_INIT("{ \"a\" : [ 1 , 2 ] , \"b\" : null }"),
};

static void every_valid_text_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(accepted); i++) {
        jrpc_error error = {0};
        if (!read_exactly(accepted[i], 16, &error)) {
            fail_msg("%.*s: %s", (int)accepted[i].len, accepted[i].ptr, error.message);
        }
        assert_int_equal(error.code, JRPC_OK);
    }
}

typedef struct refusal {
    jrpc_slice text;
    size_t offset;
    const char *message; // a part of it
} refusal;

static const refusal refused[] = {
    // No value, or more than one.
    {JRPC_SLICE_INIT(""), 0, "ends where a value must begin"},
    {JRPC_SLICE_INIT(" \n"), 2, "ends where a value must begin"},
    {JRPC_SLICE_INIT("1 2"), 2, "nothing but white space"},
    {JRPC_SLICE_INIT("{}}"), 2, "nothing but white space"},
    {JRPC_SLICE_INIT("[]]"), 2, "nothing but white space"},
    {JRPC_SLICE_INIT("null\0"), 4, "nothing but white space"},
    {JRPC_SLICE_INIT("nullx"), 4, "nothing but white space"},
    {JRPC_SLICE_INIT("\"a\"b"), 3, "nothing but white space"},
    {JRPC_SLICE_INIT("1\v"), 1, "nothing but white space"},
    {JRPC_SLICE_INIT("1\f"), 1, "nothing but white space"},
    {JRPC_SLICE_INIT("1\xC2\xA0"), 1, "nothing but white space"},
    {JRPC_SLICE_INIT("1//c"), 1, "nothing but white space"},
    // Something that begins no value.
    {JRPC_SLICE_INIT("\xEF\xBB\xBF{}"), 0, "byte-order mark"},
    {JRPC_SLICE_INIT(" \xEF\xBB\xBF{}"), 1, "a value must begin"},
    {JRPC_SLICE_INIT("\0"), 0, "a value must begin"},
    {JRPC_SLICE_INIT("'a'"), 0, "a value must begin"},
    {JRPC_SLICE_INIT("/**/1"), 0, "a value must begin"},
    {JRPC_SLICE_INIT("+1"), 0, "a value must begin"},
    {JRPC_SLICE_INIT(".5"), 0, "a value must begin"},
    {JRPC_SLICE_INIT("NaN"), 0, "a value must begin"},
    {JRPC_SLICE_INIT("Infinity"), 0, "a value must begin"},
    {JRPC_SLICE_INIT("True"), 0, "a value must begin"},
    {JRPC_SLICE_INIT("]"), 0, "a value must begin"},
    {JRPC_SLICE_INIT(","), 0, "a value must begin"},
    // Literals.
    {JRPC_SLICE_INIT("nul"), 3, "ends inside a literal"},
    {JRPC_SLICE_INIT("nulL"), 3, "a literal must be one of"},
    {JRPC_SLICE_INIT("tru"), 3, "ends inside a literal"},
    {JRPC_SLICE_INIT("t"), 1, "ends inside a literal"},
    {JRPC_SLICE_INIT("trve"), 2, "a literal must be one of"},
    {JRPC_SLICE_INIT("[fals]"), 5, "a literal must be one of"},
    {JRPC_SLICE_INIT("falsy"), 4, "a literal must be one of"},
    {JRPC_SLICE_INIT("falsehood"), 5, "nothing but white space"},
    // Numbers.
    {JRPC_SLICE_INIT("-"), 1, "ends inside a number"},
    {JRPC_SLICE_INIT("-a"), 1, "minus sign"},
    {JRPC_SLICE_INIT("--1"), 1, "minus sign"},
    {JRPC_SLICE_INIT("-.5"), 1, "minus sign"},
    {JRPC_SLICE_INIT("-Infinity"), 1, "minus sign"},
    {JRPC_SLICE_INIT("01"), 1, "nothing but white space"},
    {JRPC_SLICE_INIT("[-01]"), 3, "a comma or ]"},
    {JRPC_SLICE_INIT("0x1"), 1, "nothing but white space"},
    {JRPC_SLICE_INIT("1."), 2, "ends inside a number"},
    {JRPC_SLICE_INIT("1.e1"), 2, "decimal point"},
    {JRPC_SLICE_INIT("[1.]"), 3, "decimal point"},
    {JRPC_SLICE_INIT("1e"), 2, "ends inside a number"},
    {JRPC_SLICE_INIT("1e+"), 3, "ends inside a number"},
    {JRPC_SLICE_INIT("1ex"), 2, "an exponent"},
    {JRPC_SLICE_INIT("1E-,"), 3, "an exponent"},
    {JRPC_SLICE_INIT("1e1.5"), 3, "nothing but white space"},
    {JRPC_SLICE_INIT("1.5.5"), 3, "nothing but white space"},
    // Strings.
    {JRPC_SLICE_INIT("\""), 1, "ends inside a string"},
    {JRPC_SLICE_INIT("\"abcdefghijklmnopqrstuvwxyz"), 27, "ends inside a string"},
    {JRPC_SLICE_INIT("\"a\n\""), 2, "control character"},
    {JRPC_SLICE_INIT("\"0123456789abcdefghij\x1f\""), 21, "control character"},
    {JRPC_SLICE_INIT("\"\0\""), 1, "control character"},
    {JRPC_SLICE_INIT("\"\\"), 2, "ends inside an escape"},
    {JRPC_SLICE_INIT("\"\\\""), 3, "ends inside a string"},
    {JRPC_SLICE_INIT("\"\\q\""), 2, "a backslash must be followed"},
    {JRPC_SLICE_INIT("\"\\U0041\""), 2, "a backslash must be followed"},
    {JRPC_SLICE_INIT("\"\\\n\""), 2, "a backslash must be followed"},
    {JRPC_SLICE_INIT("\"\\\xE2\x82\xAC\""), 2, "a backslash must be followed"},
    {JRPC_SLICE_INIT("\"\\u"), 3, "ends inside an escape"},
    {JRPC_SLICE_INIT("\"\\u12"), 5, "ends inside an escape"},
    {JRPC_SLICE_INIT("\"\\u12\""), 5, "four hexadecimal digits"},
    {JRPC_SLICE_INIT("\"\\u00G0\""), 5, "four hexadecimal digits"},
    {JRPC_SLICE_INIT("\"\\u-123\""), 3, "four hexadecimal digits"},
    {JRPC_SLICE_INIT("\"\\u000@\""), 6, "four hexadecimal digits"},
    {JRPC_SLICE_INIT("\"\\u000`\""), 6, "four hexadecimal digits"},
    {JRPC_SLICE_INIT("\"\\u000g\""), 6, "four hexadecimal digits"},
    {JRPC_SLICE_INIT("\"\\ud800\\u\""), 9, "four hexadecimal digits"},
    // UTF-8 (RFC 3629): the offset is that of the first byte that cannot go on.
    {JRPC_SLICE_INIT("\"\x80\""), 1, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xBF\""), 1, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xC0\xAF\""), 1, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xC1\xBF\""), 1, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xC2\""), 2, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xE0\x9F\xBF\""), 2, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xE2\x82\""), 3, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xE2\x28\xA1\""), 2, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xE2\x82\x28\""), 3, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xED\xA0\x80\""), 2, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xED\xBF\xBF\""), 2, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xF0\x8F\xBF\xBF\""), 2, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xF0\x90\x80\""), 4, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xF4\x90\x80\x80\""), 2, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xF5\x80\x80\x80\""), 1, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xFF\""), 1, "valid UTF-8"},
    {JRPC_SLICE_INIT("\"\xC3"), 2, "ends inside a UTF-8 sequence"},
    {JRPC_SLICE_INIT("\"\xF0\x9F\x98"), 4, "ends inside a UTF-8 sequence"},
    {JRPC_SLICE_INIT("\"\xC3\xA9\xE2\x82\xAC\xC0\""), 6, "valid UTF-8"},
    {JRPC_SLICE_INIT("{\"\xFF\":1}"), 2, "valid UTF-8"},
    // Arrays.
    {JRPC_SLICE_INIT("["), 1, "ends inside an array"},
    {JRPC_SLICE_INIT("[[[["), 4, "ends inside an array"},
    {JRPC_SLICE_INIT("[1"), 2, "ends inside an array"},
    {JRPC_SLICE_INIT("[1,"), 3, "ends where a value must begin"},
    {JRPC_SLICE_INIT("[1,]"), 3, "a value must begin"},
    {JRPC_SLICE_INIT("[,1]"), 1, "a value must begin"},
    {JRPC_SLICE_INIT("[1,,2]"), 3, "a value must begin"},
    {JRPC_SLICE_INIT("[1 2]"), 3, "a comma or ] must follow an array element"},
    {JRPC_SLICE_INIT("[1}"), 2, "a comma or ]"},
    {JRPC_SLICE_INIT("[\"a\":1]"), 4, "a comma or ]"},
    {JRPC_SLICE_INIT("[}"), 1, "a value must begin"},
    // Objects.
    {JRPC_SLICE_INIT("{"), 1, "ends inside an object"},
    {JRPC_SLICE_INIT("{\"a\""), 4, "ends inside an object"},
    {JRPC_SLICE_INIT("{\"a\":"), 5, "ends where a value must begin"},
    {JRPC_SLICE_INIT("{\"a\":1"), 6, "ends inside an object"},
    {JRPC_SLICE_INIT("{\"a\":1,"), 7, "ends inside an object"},
    {JRPC_SLICE_INIT("{\"a\":1,}"), 7, "a comma in an object"},
    {JRPC_SLICE_INIT("{,}"), 1, "an object must hold a member name"},
    {JRPC_SLICE_INIT("{a:1}"), 1, "an object must hold a member name"},
    {JRPC_SLICE_INIT("{'a':1}"), 1, "an object must hold a member name"},
    {JRPC_SLICE_INIT("{1:1}"), 1, "an object must hold a member name"},
    {JRPC_SLICE_INIT("{]"), 1, "an object must hold a member name"},
    {JRPC_SLICE_INIT("{\"a\" 1}"), 5, "a colon"},
    {JRPC_SLICE_INIT("{\"a\",1}"), 4, "a colon"},
    {JRPC_SLICE_INIT("{\"a\"}"), 4, "a colon"},
    {JRPC_SLICE_INIT("{\"a\"::1}"), 5, "a value must begin"},
    {JRPC_SLICE_INIT("{\"a\":}"), 5, "a value must begin"},
    {JRPC_SLICE_INIT("{\"a\":1 \"b\":2}"), 7, "a comma or }"},
    {JRPC_SLICE_INIT("{\"a\":1]"), 6, "a comma or }"},
    {JRPC_SLICE_INIT("{\"a\":[1]]"), 8, "a comma or }"},
    {JRPC_SLICE_INIT("[{\"a\":1},{\"b\"]"), 13, "a colon"},
};

static void every_error_has_its_offset_and_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(refused); i++) {
        jrpc_error error = {0};
        const refusal *expected = &refused[i];
        if (read_exactly(expected->text, 16, &error)) {
            fail_msg("row %zu was accepted: %s", i, expected->text.ptr);
        }
        if (error.code != JRPC_ERROR_SYNTAX || error.offset != expected->offset ||
            strstr(error.message, expected->message) == NULL) {
            fail_msg("row %zu, %s: code %d at %zu: %s", i, expected->text.ptr, (int)error.code,
                     error.offset, error.message);
        }
    }
}

static void an_error_stays_where_it_is_when_bytes_follow(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(refused); i++) {
        const refusal *expected = &refused[i];
        if (expected->offset == expected->text.len) {
            continue;
        }
        char longer[128];
        size_t len = expected->text.len;
        assert_true(len + 16 <= sizeof longer);
        memcpy(longer, expected->text.ptr, len);
        memset(longer + len, '"', 16);
        jrpc_error error = {0};
        assert_false(read_exactly(jrpc_slice_of(longer, len + 16), 16, &error));
        assert_int_equal(error.code, JRPC_ERROR_SYNTAX);
        assert_int_equal(error.offset, expected->offset);
        assert_non_null(strstr(error.message, expected->message));
    }
}

static void nesting_past_the_depth_is_a_limit_at_the_bracket(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice text;
        uint32_t max_depth;
        bool accepted;
        size_t offset;
    } table[] = {
        {JRPC_SLICE_INIT("1"), 0, true, 0},
        {JRPC_SLICE_INIT("[]"), 0, false, 0},
        {JRPC_SLICE_INIT(" {}"), 0, false, 1},
        {JRPC_SLICE_INIT("[]"), 1, true, 0},
        {JRPC_SLICE_INIT("[[]]"), 1, false, 1},
        {JRPC_SLICE_INIT("[[],[],{}]"), 2, true, 0},
        {JRPC_SLICE_INIT("[{\"a\":[]}]"), 2, false, 6},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        jrpc_error error = {0};
        assert_int_equal(read_exactly(table[i].text, table[i].max_depth, &error),
                         table[i].accepted);
        assert_int_equal(error.code, table[i].accepted ? JRPC_OK : JRPC_ERROR_LIMIT);
        assert_int_equal(error.offset, table[i].offset);
    }
}

static void a_million_levels_are_read_without_recursion(void **state)
{
    (void)state;
    enum { LEVELS = 1000000 };
    char *text = malloc((size_t)2 * LEVELS);
    assert_non_null(text);
    memset(text, '[', LEVELS);
    memset(text + LEVELS, ']', LEVELS);
    jrpc_error error = {0};
    assert_true(read_exactly(jrpc_slice_of(text, (size_t)2 * LEVELS), LEVELS, &error));
    assert_false(read_exactly(jrpc_slice_of(text, LEVELS), LEVELS, &error));
    assert_int_equal(error.offset, LEVELS);
    jrpc_error_clear(&error);
    assert_false(read_exactly(jrpc_slice_of(text, (size_t)2 * LEVELS), LEVELS - 1, &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    assert_int_equal(error.offset, LEVELS - 1);
    free(text);
}

static void text_past_the_limit_is_refused_unread(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_error error = {0};
    // The length alone decides: no byte of it may be looked at.
    jrpc_slice text = {"1", ((size_t)256 << 20) + 1};
    assert_false(jrpc_json_read(&document, text, 1, &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    assert_int_equal(error.offset, (size_t)256 << 20);
    jrpc_json_document_done(&document);
}

static void a_failed_read_leaves_the_document_empty_and_usable(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, JRPC_SLICE("[1,2,3]"), 1, NULL));
    assert_int_equal(document.count, 4);
    assert_false(jrpc_json_read(&document, JRPC_SLICE("[1,2,"), 1, NULL));
    assert_int_equal(document.count, 0);
    assert_false(jrpc_json_exists(jrpc_json_root(&document)));
    assert_true(jrpc_json_read(&document, JRPC_SLICE("{}"), 1, NULL));
    assert_int_equal(document.count, 1);
    jrpc_json_document_done(&document);
}

static void an_error_that_is_filled_already_is_kept(void **state)
{
    (void)state;
    jrpc_error error = {.code = JRPC_ERROR_USAGE, .message = "first", .offset = 7};
    assert_false(read_exactly(JRPC_SLICE("[1"), 4, &error));
    assert_int_equal(error.code, JRPC_ERROR_USAGE);
    assert_int_equal(error.offset, 7);
    assert_string_equal(error.message, "first");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_valid_text_is_read),
        cmocka_unit_test(every_error_has_its_offset_and_sentence),
        cmocka_unit_test(an_error_stays_where_it_is_when_bytes_follow),
        cmocka_unit_test(nesting_past_the_depth_is_a_limit_at_the_bracket),
        cmocka_unit_test(a_million_levels_are_read_without_recursion),
        cmocka_unit_test(text_past_the_limit_is_refused_unread),
        cmocka_unit_test(a_failed_read_leaves_the_document_empty_and_usable),
        cmocka_unit_test(an_error_that_is_filled_already_is_kept),
    };
    return cmocka_run_group_tests_name("json/read", tests, NULL, NULL);
}
