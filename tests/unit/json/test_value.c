// Walking a document, finding members, string contents, integers.
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])

static jrpc_json read_into(jrpc_json_document *document, const char *text)
{
    jrpc_json_document_init(document, jrpc_allocator_heap());
    jrpc_error error = {0};
    if (!jrpc_json_read(document, jrpc_slice_str(text), 64, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    return jrpc_json_root(document);
}

static void assert_spelled(jrpc_json value, const char *spelling)
{
    assert_true(jrpc_json_exists(value));
    assert_true(jrpc_slice_is(jrpc_json_spelling(value), spelling));
}

static void kinds_spellings_and_offsets_are_those_of_the_text(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json root =
        read_into(&document, " [ null, true,false ,-1.50e+2,\"a\\n\", [ 1 ] , {\"k\" : 0} ] ");
    static const struct {
        jrpc_json_kind kind;
        const char *spelling;
        size_t offset;
        uint32_t count;
        unsigned flags;
    } table[] = {
        {JRPC_JSON_NULL, "null", 3, 0, 0},
        {JRPC_JSON_TRUE, "true", 9, 0, 0},
        {JRPC_JSON_FALSE, "false", 14, 0, 0},
        {JRPC_JSON_NUMBER, "-1.50e+2", 21, 0, JRPC_JSON_FRACTIONAL},
        {JRPC_JSON_STRING, "\"a\\n\"", 30, 2, JRPC_JSON_ESCAPED},
        {JRPC_JSON_ARRAY, "[ 1 ]", 37, 1, 0},
        {JRPC_JSON_OBJECT, "{\"k\" : 0}", 45, 1, 0},
    };
    assert_int_equal(jrpc_json_count(root), LENGTH(table));
    for (uint32_t i = 0; i < LENGTH(table); i++) {
        jrpc_json value = jrpc_json_element(root, i);
        assert_int_equal(jrpc_json_kind_of(value), table[i].kind);
        assert_spelled(value, table[i].spelling);
        assert_int_equal(jrpc_json_offset(value), table[i].offset);
        assert_int_equal(jrpc_json_count(value), table[i].count);
        assert_int_equal(jrpc_json_flags(value), table[i].flags);
    }
    assert_false(jrpc_json_exists(jrpc_json_element(root, LENGTH(table))));
    jrpc_json_document_done(&document);
}

static void no_value_is_an_answer_to_every_question(void **state)
{
    (void)state;
    jrpc_json none = JRPC_JSON_ABSENT;
    int64_t number = 5;
    jrpc_slice content = {NULL, 0};
    assert_int_equal(jrpc_json_kind_of(none), JRPC_JSON_NONE);
    assert_int_equal(jrpc_json_count(none), 0);
    assert_int_equal(jrpc_json_flags(none), 0);
    assert_int_equal(jrpc_json_offset(none), 0);
    assert_int_equal(jrpc_json_spelling(none).len, 0);
    assert_false(jrpc_json_exists(jrpc_json_get(none, "a")));
    assert_int_equal(jrpc_json_member_occurrences(none, JRPC_SLICE("a")), 0);
    assert_false(jrpc_json_exists(jrpc_json_element(none, 0)));
    assert_false(jrpc_json_exists(jrpc_json_pointer(none, JRPC_SLICE("/a"))));
    assert_false(jrpc_json_string_is(none, JRPC_SLICE("")));
    assert_false(jrpc_json_string(none, NULL, &content));
    assert_false(jrpc_json_is_integer(none));
    assert_false(jrpc_json_int64(none, &number));
    assert_int_equal(number, 5);
    jrpc_json_iterator it = jrpc_json_iterate(none);
    assert_false(jrpc_json_step(&it));
}

static void a_walk_gives_all_members_in_order_with_duplicates(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json root = read_into(&document, "{\"a\":[1,[2]],\"b\":{\"a\":3},\"a\":4}");
    static const char *const keys[] = {"\"a\"", "\"b\"", "\"a\""};
    static const char *const values[] = {"[1,[2]]", "{\"a\":3}", "4"};
    size_t steps = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it); steps++) {
        assert_spelled(it.key, keys[steps]);
        assert_spelled(it.value, values[steps]);
    }
    assert_int_equal(steps, 3);
    jrpc_json_iterator in_array = jrpc_json_iterate(jrpc_json_member(root, JRPC_SLICE("b")));
    assert_true(jrpc_json_step(&in_array));
    assert_false(jrpc_json_step(&in_array));
    jrpc_json_document_done(&document);
}

static void members_are_found_by_exact_name_and_the_last_counts(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json root =
        read_into(&document, "{\"id\":1,\"ID\":2,\"\\u0069d\":3,\"\":4,\"a\\u0000b\":5,"
                             "\"\xC3\xA9\":6,\"x\":{\"id\":7}}");
    assert_spelled(jrpc_json_get(root, "id"), "3");
    assert_spelled(jrpc_json_get(root, "ID"), "2");
    assert_spelled(jrpc_json_get(root, ""), "4");
    assert_spelled(jrpc_json_member(root, JRPC_SLICE("a\0b")), "5");
    assert_spelled(jrpc_json_get(root, "\xC3\xA9"), "6");
    assert_false(jrpc_json_exists(jrpc_json_get(root, "a")));
    assert_false(jrpc_json_exists(jrpc_json_get(root, "Id")));
    assert_false(jrpc_json_exists(jrpc_json_get(root, "i")));
    assert_int_equal(jrpc_json_member_occurrences(root, JRPC_SLICE("id")), 2);
    assert_int_equal(jrpc_json_member_occurrences(root, JRPC_SLICE("ID")), 1);
    assert_int_equal(jrpc_json_member_occurrences(root, JRPC_SLICE("no")), 0);
    jrpc_json_document_done(&document);
    // An array has no members, even if its elements look like them.
    root = read_into(&document, "[\"id\",1]");
    assert_false(jrpc_json_exists(jrpc_json_get(root, "id")));
    assert_int_equal(jrpc_json_member_occurrences(root, JRPC_SLICE("id")), 0);
    jrpc_json_document_done(&document);
}

static void pointers_lead_where_rfc_6901_says(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json root = read_into(
        &document, "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"k\\\"l\":6,"
                   "\" \":7,\"m~n\":8,\"~1\":9,\"0\":{\"\":{\"\":10}},\"d\":1,\"d\":[11]}");
    static const char *const found[][2] = {
        {"/foo", "[\"bar\",\"baz\"]"},
        {"/foo/0", "\"bar\""},
        {"/foo/1", "\"baz\""},
        {"/", "0"},
        {"/a~1b", "1"},
        {"/c%d", "2"},
        {"/e^f", "3"},
        {"/k\"l", "6"},
        {"/ ", "7"},
        {"/m~0n", "8"},
        {"/~01", "9"},
        {"/0//", "10"},
        {"/d/0", "11"},
    };
    for (size_t i = 0; i < LENGTH(found); i++) {
        assert_spelled(jrpc_json_pointer(root, jrpc_slice_str(found[i][0])), found[i][1]);
    }
    assert_int_equal(jrpc_json_pointer(root, JRPC_SLICE("")).index, root.index);
    static const char *const nowhere[] = {
        "foo", "/foo/2",  "/foo/-", "/foo/01", "/foo/", "/foo/a",  "/foo/4294967296",
        "/x",  "/a/b",    "/m~n",   "/m~2n",   "/~",    "/foo/0/", "/foo/18446744073709551616",
        "/d1", "/foo/-1", "/foo/+0"};
    for (size_t i = 0; i < LENGTH(nowhere); i++) {
        if (jrpc_json_exists(jrpc_json_pointer(root, jrpc_slice_str(nowhere[i])))) {
            fail_msg("%s leads somewhere", nowhere[i]);
        }
    }
    jrpc_json_document_done(&document);
}

static const struct {
    const char *text;
    jrpc_slice content;
    unsigned flags;
} strings[] = {
    {"\"\"", JRPC_SLICE_INIT(""), 0},
    {"\"plain\"", JRPC_SLICE_INIT("plain"), 0},
    {"\"\xC3\xA9\"", JRPC_SLICE_INIT("\xC3\xA9"), 0},
    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", JRPC_SLICE_INIT("\"\\/\b\f\n\r\t"), JRPC_JSON_ESCAPED},
    {"\"x\\u0000y\"", JRPC_SLICE_INIT("x\0y"), JRPC_JSON_ESCAPED | JRPC_JSON_HAS_NUL},
    {"\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
     JRPC_SLICE_INIT("\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"), JRPC_JSON_ESCAPED},
    {"\"\\ud83d\\ude00!\"", JRPC_SLICE_INIT("\xF0\x9F\x98\x80!"), JRPC_JSON_ESCAPED},
    {"\"\\uD800\\uDC00\\uDBFF\\uDFFF\"", JRPC_SLICE_INIT("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"),
     JRPC_JSON_ESCAPED},
    {"\"\\ud83d\"", JRPC_SLICE_INIT("\xED\xA0\xBD"), JRPC_JSON_ESCAPED | JRPC_JSON_LONE_SURROGATE},
    {"\"\\ude00\\ud83d\"", JRPC_SLICE_INIT("\xED\xB8\x80\xED\xA0\xBD"),
     JRPC_JSON_ESCAPED | JRPC_JSON_LONE_SURROGATE},
    {"\"\\ud83d\\ud83d\\ude00\"", JRPC_SLICE_INIT("\xED\xA0\xBD\xF0\x9F\x98\x80"),
     JRPC_JSON_ESCAPED | JRPC_JSON_LONE_SURROGATE},
    {"\"\\ud83d\\ude00\\ude00\"", JRPC_SLICE_INIT("\xF0\x9F\x98\x80\xED\xB8\x80"),
     JRPC_JSON_ESCAPED | JRPC_JSON_LONE_SURROGATE},
    {"\"\\ud83dx\\ude00\"", JRPC_SLICE_INIT("\xED\xA0\xBDx\xED\xB8\x80"),
     JRPC_JSON_ESCAPED | JRPC_JSON_LONE_SURROGATE},
    {"\"\\ud83d\\ue000\\udbff\\u0041\"",
     JRPC_SLICE_INIT("\xED\xA0\xBD\xEE\x80\x80\xED\xAF\xBF"
                     "A"),
     JRPC_JSON_ESCAPED | JRPC_JSON_LONE_SURROGATE},
    {"\"\\ud83d\\\\ude00\"", JRPC_SLICE_INIT("\xED\xA0\xBD\\ude00"),
     JRPC_JSON_ESCAPED | JRPC_JSON_LONE_SURROGATE},
};

static void string_contents_have_their_escapes_resolved(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(strings); i++) {
        jrpc_json_document document;
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 1024);
        jrpc_json root = read_into(&document, strings[i].text);
        jrpc_slice content = {NULL, 0};
        assert_int_equal(jrpc_json_flags(root), strings[i].flags);
        assert_int_equal(jrpc_json_count(root), strings[i].content.len);
        assert_true(jrpc_json_string(root, &arena, &content));
        assert_true(jrpc_slice_equal(content, strings[i].content));
        // What needs no resolving is lent, not copied.
        assert_int_equal(arena.used > 0, (strings[i].flags & JRPC_JSON_ESCAPED) != 0);
        assert_true(jrpc_json_string_is(root, strings[i].content));
        for (size_t j = 0; j < LENGTH(strings); j++) {
            assert_int_equal(jrpc_json_string_is(root, strings[j].content), i == j);
        }
        jrpc_arena_done(&arena);
        jrpc_json_document_done(&document);
    }
}

static void a_string_without_room_is_no_string(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 2);
    jrpc_slice content = {"untouched", 9};
    assert_false(jrpc_json_string(read_into(&document, "\"ab\\n\""), &arena, &content));
    assert_true(jrpc_slice_is(content, "untouched"));
    jrpc_json_document_done(&document);
    assert_false(jrpc_json_string(read_into(&document, "1"), &arena, &content));
    jrpc_json_document_done(&document);
    jrpc_arena_done(&arena);
}

typedef enum expected {
    NO_INTEGER,
    TOO_LARGE, // an integer, but not of 64 bits
    FITS,
} expected;

static const struct {
    const char *text;
    expected expected;
    int64_t value;
} integers[] = {
    {"0", FITS, 0},
    {"-0", FITS, 0},
    {"0.000e999999999999999999999", FITS, 0},
    {"0e-5", FITS, 0},
    {"1", FITS, 1},
    {"-1", FITS, -1},
    {"1.0", FITS, 1},
    {"1e0", FITS, 1},
    {"10e-1", FITS, 1},
    {"0.01e2", FITS, 1},
    {"-32601.0", FITS, -32601},
    {"1e18", FITS, INT64_C(1000000000000000000)},
    {"1200e-2", FITS, 12},
    {"9007199254740993", FITS, INT64_C(9007199254740993)},
    {"9223372036854775807", FITS, INT64_MAX},
    {"9.223372036854775807e18", FITS, INT64_MAX},
    {"-9223372036854775808", FITS, INT64_MIN},
    {"-9223372036854775808.00", FITS, INT64_MIN},
    {"9223372036854775808", TOO_LARGE, 0},
    {"-9223372036854775809", TOO_LARGE, 0},
    {"18446744073709551616", TOO_LARGE, 0},
    {"9999999999999999999", TOO_LARGE, 0},
    {"1e19", TOO_LARGE, 0},
    {"1e400", TOO_LARGE, 0},
    {"1e99999999999999999999", TOO_LARGE, 0},
    {"1.5", NO_INTEGER, 0},
    {"15e-1", NO_INTEGER, 0},
    {"1e-1", NO_INTEGER, 0},
    {"0.1", NO_INTEGER, 0},
    {"1.23e1", NO_INTEGER, 0},
    {"9223372036854775807.5", NO_INTEGER, 0},
    {"1e-99999999999999999999", NO_INTEGER, 0},
    {"\"1\"", NO_INTEGER, 0},
    {"null", NO_INTEGER, 0},
    {"[1]", NO_INTEGER, 0},
};

static void integers_are_read_exactly_or_not_at_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(integers); i++) {
        jrpc_json_document document;
        jrpc_json root = read_into(&document, integers[i].text);
        int64_t value = 77;
        bool fits = integers[i].expected == FITS;
        if (jrpc_json_is_integer(root) != (integers[i].expected != NO_INTEGER) ||
            jrpc_json_int64(root, &value) != fits || value != (fits ? integers[i].value : 77)) {
            fail_msg("%s: %lld", integers[i].text, (long long)value);
        }
        jrpc_json_document_done(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_spellings_and_offsets_are_those_of_the_text),
        cmocka_unit_test(no_value_is_an_answer_to_every_question),
        cmocka_unit_test(a_walk_gives_all_members_in_order_with_duplicates),
        cmocka_unit_test(members_are_found_by_exact_name_and_the_last_counts),
        cmocka_unit_test(pointers_lead_where_rfc_6901_says),
        cmocka_unit_test(string_contents_have_their_escapes_resolved),
        cmocka_unit_test(a_string_without_room_is_no_string),
        cmocka_unit_test(integers_are_read_exactly_or_not_at_all),
    };
    return cmocka_run_group_tests_name("json/value", tests, NULL, NULL);
}
