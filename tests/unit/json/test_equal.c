// Exact equality of values, and the order of numbers as decimals.
#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

static bool texts_equal(jrpc_slice a, jrpc_slice b)
{
    jrpc_json_document left;
    jrpc_json_document right;
    jrpc_json_document_init(&left, jrpc_allocator_heap());
    jrpc_json_document_init(&right, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&left, a, 1000000, NULL));
    assert_true(jrpc_json_read(&right, b, 1000000, NULL));
    bool equal = jrpc_json_equal(jrpc_json_root(&left), jrpc_json_root(&right));
    assert_int_equal(jrpc_json_equal(jrpc_json_root(&right), jrpc_json_root(&left)), equal);
    assert_true(jrpc_json_equal(jrpc_json_root(&left), jrpc_json_root(&left)));
    jrpc_json_document_done(&left);
    jrpc_json_document_done(&right);
    return equal;
}

typedef struct row {
    const char *a;
    const char *b;
    bool equal;
} row;

static const row values[] = {
    {"null", "null", true},
    {"null", "false", false},
    {"true", "false", false},
    {"true", "true", true},
    {"0", "null", false},
    {"0", "\"0\"", false},
    {"\"\"", "null", false},
    {"[]", "{}", false},
    {"[]", " [ ] ", true},
    {"1", "1.0", true},
    {"[1]", "1", false},
    {"[1,2]", "[2,1]", false},
    {"[1,2]", "[1,2,3]", false},
    {"[[1],2]", "[[1,2]]", false},
    {"[[],[]]", "[[[]]]", false},
    {"[1,[2,{\"a\":3}]]", "[1.0,[2.0,{\"a\":30e-1}]]", true},
    // Strings: by content.
    {"\"a\"", "\"a\"", true},
    {"\"a\"", "\"b\"", false},
    {"\"a\"", "\"A\"", false},
    {"\"a\"", "\"\\u0061\"", true},
    {"\"\\/\"", "\"/\"", true},
    {"\"\\n\"", "\"\\u000a\"", true},
    {"\"\\u000A\"", "\"\\u000a\"", true},
    {"\"a\\u0000\"", "\"a\"", false},
    {"\"a\\u0000b\"", "\"a\\u0000c\"", false},
    {"\"\\u00e9\"", "\"\xC3\xA9\"", true},
    {"\"e\\u0301\"", "\"\xC3\xA9\"", false},
    {"\"\\ud83d\\ude00\"", "\"\xF0\x9F\x98\x80\"", true},
    {"\"\\ud83d\"", "\"\\ude00\"", false},
    {"\"\\ud83d\"", "\"\\uD83D\"", true},
    {"\"\\ud83d\\\\ude00\"", "\"\\ud83d\\ude00\"", false},
    // Objects: as sets; of duplicates the last counts.
    {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
    {"{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}", false},
    {"{\"a\":1}", "{\"b\":1}", false},
    {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
    {"{\"a\":1}", "{}", false},
    {"{\"\\u0061\":1}", "{\"a\":1}", true},
    {"{\"a\":1,\"a\":2}", "{\"a\":2}", true},
    {"{\"a\":1,\"a\":2}", "{\"a\":1}", false},
    {"{\"a\":1,\"a\":2}", "{\"a\":9,\"a\":2}", true},
    {"{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}", false},
    {"{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":1}", false},
    {"{\"a\":{\"x\":[1]},\"a\":2,\"b\":3}", "{\"b\":3,\"a\":2}", true},
    {"{\"a\":{\"p\":1,\"q\":2},\"b\":[3]}", "{\"b\":[3],\"a\":{\"q\":2,\"p\":1}}", true},
    {"{\"a\":{\"p\":1,\"q\":2},\"b\":[3]}", "{\"b\":[3],\"a\":{\"q\":2,\"p\":2}}", false},
    {"[{\"a\":1,\"b\":2},{\"c\":3,\"d\":4},5]", "[{\"b\":2,\"a\":1},{\"d\":4,\"c\":3},5]", true},
    {"[{\"a\":1,\"b\":2},{\"c\":3,\"d\":4},5]", "[{\"b\":2,\"a\":1},{\"d\":4,\"c\":3},6]", false},
    {"{\"a\":[],\"b\":{}}", "{\"b\":{},\"a\":[]}", true},
    {"{\"a\":[[]],\"b\":{}}", "{\"b\":{},\"a\":[]}", false},
};

static void values_are_equal_as_json_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(values); i++) {
        const row *r = &values[i];
        if (texts_equal(jrpc_slice_str(r->a), jrpc_slice_str(r->b)) != r->equal) {
            fail_msg("%s and %s", r->a, r->b);
        }
    }
}

static void absence_equals_only_absence(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, JRPC_SLICE("null"), 0, NULL));
    jrpc_json null = jrpc_json_root(&document);
    assert_true(jrpc_json_equal(JRPC_JSON_ABSENT, JRPC_JSON_ABSENT));
    assert_false(jrpc_json_equal(JRPC_JSON_ABSENT, null));
    assert_false(jrpc_json_equal(null, JRPC_JSON_ABSENT));
    jrpc_json_document_done(&document);
}

// In ascending order; a row of one group holds spellings of the same number.
static const char *const ascending[][5] = {
    {"-1e99999999999999999999", "-10e99999999999999999998"},
    {"-1e9999999999999999999"},
    {"-9007199254740993", "-9007199254740993.0", "-9.007199254740993e15"},
    {"-9007199254740992"},
    {"-1.5", "-15e-1", "-0.15e1"},
    {"-1", "-1.0", "-1e0", "-10e-1", "-0.1E+1"},
    {"-0.1"},
    {"-1e-99999999999999999999"},
    {"0", "-0", "0.000", "-0e999999999999999999999999", "0E-5"},
    {"1e-100000000000000000000", "0.1e-99999999999999999999"},
    {"1e-99999999999999999999", "1000e-100000000000000000002"},
    {"0.00123", "123e-5", "1.23e-3", "0.0000123E2"},
    {"0.1", "1e-1", "100e-3"},
    {"0.10000000000000000000000000000000000001"},
    {"0.3"},
    {"0.30000000000000004"},
    {"1", "1.0", "1e0", "10e-1", "0.01e+002"},
    {"1.0000000000000000000000000000000000000000001"},
    {"2"},
    {"10", "1e1", "1e+1", "1E0000000000000000000000000001", "0.1e2"},
    {"9007199254740992"},
    {"9007199254740993"},
    {"18446744073709551615"},
    {"18446744073709551616", "1844674407370955161.6e1"},
    {"1e400", "10e399"},
    {"1e401"},
    {"1e999999999999999999", "10e999999999999999998"},
    {"1e1000000000000000000", "0.1e1000000000000000001", "10e999999999999999999"},
    {"1e99999999999999999998"},
    {"1e99999999999999999999", "0.001e100000000000000000002"},
    {"1e123456789012345678901234567890"},
    {"1e123456789012345678901234567891"},
};

static void numbers_are_ordered_as_exact_decimals(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(ascending); i++) {
        for (size_t j = 0; j < LENGTH(ascending); j++) {
            for (size_t k = 0; k < 5 && ascending[i][k] != NULL; k++) {
                for (size_t l = 0; l < 5 && ascending[j][l] != NULL; l++) {
                    int order = jrpc_json_number_compare(jrpc_slice_str(ascending[i][k]),
                                                         jrpc_slice_str(ascending[j][l]));
                    if ((order > 0) - (order < 0) != (i > j) - (i < j)) {
                        fail_msg("%s and %s: %d", ascending[i][k], ascending[j][l], order);
                    }
                }
            }
        }
    }
}

static void long_digits_and_long_zeros_are_compared_to_the_end(void **state)
{
    (void)state;
    enum { DIGITS = 100000 };
    char *a = malloc(DIGITS + 16);
    char *b = malloc(DIGITS + 16);
    assert_non_null(a);
    assert_non_null(b);
    memset(a, '7', DIGITS);
    memset(b, '7', DIGITS);
    jrpc_slice left = {a, DIGITS};
    jrpc_slice right = {b, DIGITS};
    assert_int_equal(jrpc_json_number_compare(left, right), 0);
    b[DIGITS - 1] = '8';
    assert_true(jrpc_json_number_compare(left, right) < 0);
    // 1 and DIGITS - 1 zeros is 1e(DIGITS - 1).
    memset(a, '0', DIGITS);
    a[0] = '1';
    assert_int_equal(jrpc_json_number_compare(left, JRPC_SLICE("1e99999")), 0);
    assert_true(jrpc_json_number_compare(left, JRPC_SLICE("1e100000")) < 0);
    // 0.00…1 with DIGITS - 3 zeros after the point.
    a[0] = '0';
    a[1] = '.';
    a[DIGITS - 1] = '1';
    assert_int_equal(jrpc_json_number_compare(left, JRPC_SLICE("1e-99998")), 0);
    free(a);
    free(b);
}

// `levels` objects inside each other, each with the member "k" before or after "n", around `core`.
static void write_nest(jrpc_buffer *out, int levels, bool k_first, const char *core)
{
    for (int i = 0; i < levels; i++) {
        (void)jrpc_buffer_append_str(out, k_first ? "[{\"k\":1,\"n\":" : "[{\"n\":");
    }
    (void)jrpc_buffer_append_str(out, core);
    for (int i = 0; i < levels; i++) {
        (void)jrpc_buffer_append_str(out, k_first ? "},2]" : ",\"k\":1},2]");
    }
}

static void deep_values_in_another_order_are_compared_without_recursion(void **state)
{
    (void)state;
    // More levels than the comparison remembers on its way down.
    enum { LEVELS = 5000 };
    jrpc_buffer a;
    jrpc_buffer b;
    jrpc_buffer_init(&a, jrpc_allocator_heap(), (size_t)1 << 20);
    jrpc_buffer_init(&b, jrpc_allocator_heap(), (size_t)1 << 20);
    write_nest(&a, LEVELS, true, "[1,2,3]");
    write_nest(&b, LEVELS, false, "[1,2,3.0]");
    assert_true(texts_equal(jrpc_buffer_slice(&a), jrpc_buffer_slice(&b)));
    // The last thing that is compared, on the outermost level, differs.
    assert_true(a.ptr[a.len - 2] == '2');
    a.ptr[a.len - 2] = '3';
    assert_false(texts_equal(jrpc_buffer_slice(&a), jrpc_buffer_slice(&b)));
    jrpc_buffer_clear(&b);
    write_nest(&b, LEVELS, false, "[1,2,4]");
    a.ptr[a.len - 2] = '2';
    assert_false(texts_equal(jrpc_buffer_slice(&a), jrpc_buffer_slice(&b)));
    jrpc_buffer_done(&a);
    jrpc_buffer_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_equal_as_json_values),
        cmocka_unit_test(absence_equals_only_absence),
        cmocka_unit_test(numbers_are_ordered_as_exact_decimals),
        cmocka_unit_test(long_digits_and_long_zeros_are_compared_to_the_end),
        cmocka_unit_test(deep_values_in_another_order_are_compared_without_recursion),
    };
    return cmocka_run_group_tests_name("json/equal", tests, NULL, NULL);
}
