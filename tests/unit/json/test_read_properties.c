// What must hold for every text, not for chosen ones: nodes agree with the text, prefixes fail at
// their end, an error's offset is where every continuation fails, allocation may fail anywhere.
#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])
#define DEPTH 32u

static const jrpc_slice valid[] = {
    JRPC_SLICE_INIT("{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":1}"),
    JRPC_SLICE_INIT(" [ null , true , false , -0.5e+10 , \"\" , [ ] , { } , [ [ 1 ] ] ] \r\n\t"),
    JRPC_SLICE_INIT("{\"a\":{\"b\":{\"c\":[{\"d\":[]},{\"e\":{}}]}},\"a\":0}"),
    JRPC_SLICE_INIT("\"plain \\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u0000 \\ud83d\\ude00 \\udead end\""),
    JRPC_SLICE_INIT("\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 and more than sixteen bytes\""),
    JRPC_SLICE_INIT("[\"0123456789abcdef\",\"0123456789abcdef0\",\"0123456789abcde\"]"),
    JRPC_SLICE_INIT("-120.34E-056"),
};

typedef struct outcome {
    bool read;
    jrpc_error_code code;
    size_t offset;
} outcome;

static outcome read_copy(const char *ptr, size_t len)
{
    char *copy = malloc(len == 0 ? 1 : len);
    assert_non_null(copy);
    memcpy(copy, ptr, len);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_error error = {0};
    bool read = jrpc_json_read(&document, jrpc_slice_of(copy, len), DEPTH, &error);
    jrpc_json_document_done(&document);
    free(copy);
    return (outcome){read, error.code, error.offset};
}

static void every_prefix_of_a_valid_text_fails_at_its_end_or_is_valid(void **state)
{
    (void)state;
    size_t valid_prefixes = 0;
    for (size_t i = 0; i < LENGTH(valid); i++) {
        assert_true(read_copy(valid[i].ptr, valid[i].len).read);
        for (size_t len = 0; len < valid[i].len; len++) {
            outcome got = read_copy(valid[i].ptr, len);
            valid_prefixes += got.read;
            if (!got.read) {
                assert_int_equal(got.code, JRPC_ERROR_SYNTAX);
                assert_int_equal(got.offset, len);
            }
        }
    }
    // Only a number, and white space after a whole value, leave valid prefixes.
    assert_true(valid_prefixes > 3 && valid_prefixes < 20);
}

// What an offset means: the text before it can go on to become valid, the text with the byte at it
// cannot, whatever follows.
static void check_offset(const char *text, size_t len, size_t *ret_refused)
{
    outcome got = read_copy(text, len);
    if (got.read) {
        return;
    }
    (*ret_refused)++;
    assert_true(got.offset <= len);
    outcome before = read_copy(text, got.offset);
    assert_true(before.read || before.offset == got.offset);
    assert_true(before.read || before.code == JRPC_ERROR_SYNTAX);
    if (got.offset < len) {
        outcome with = read_copy(text, got.offset + 1);
        assert_false(with.read);
        assert_int_equal(with.offset, got.offset);
        assert_int_equal(with.code, got.code);
    }
}

static void the_offset_of_an_error_depends_on_no_byte_behind_it(void **state)
{
    (void)state;
    static const char bytes[] = "{}[]:,\"\\ \n01-+.eEuntfals/\x80\xC3\xA9\xE2\xED\xF0\xFF\x1F";
    jrpc_random random;
    jrpc_random_init(&random, 20);
    size_t refused = 0;
    for (int round = 0; round < 40000; round++) {
        char text[128];
        const jrpc_slice from = valid[jrpc_random_below(&random, LENGTH(valid))];
        assert_true(from.len < sizeof text);
        memcpy(text, from.ptr, from.len);
        for (uint64_t edits = 1 + jrpc_random_below(&random, 3); edits > 0; edits--) {
            text[jrpc_random_below(&random, from.len)] =
                bytes[jrpc_random_below(&random, sizeof bytes)];
        }
        check_offset(text, from.len, &refused);
    }
    assert_true(refused > 20000);
}

static void random_bytes_from_the_alphabet_of_json_give_stable_offsets(void **state)
{
    (void)state;
    static const char bytes[] = "{}[]:,\"\"\"11 ";
    jrpc_random random;
    jrpc_random_init(&random, 21);
    size_t refused = 0;
    for (int round = 0; round < 40000; round++) {
        char text[16];
        size_t len = (size_t)jrpc_random_below(&random, sizeof text);
        for (size_t i = 0; i < len; i++) {
            text[i] = bytes[jrpc_random_below(&random, sizeof bytes - 1)];
        }
        check_offset(text, len, &refused);
    }
    assert_true(refused > 10000 && refused < 40000);
}

// A special byte at every place of strings of every length around the widths that are scanned at
// once.
static void a_special_byte_is_found_at_every_place_of_a_string(void **state)
{
    (void)state;
    static const char specials[] = {'\x1F', '\0', '\n', '\x80', '\xFF', '"', '\\'};
    for (size_t len = 1; len <= 70; len++) {
        for (size_t at = 1; at <= len; at++) {
            for (size_t s = 0; s < sizeof specials; s++) {
                char text[80];
                memset(text, 'x', sizeof text);
                text[0] = '"';
                text[len + 1] = '"';
                text[at] = specials[s];
                outcome got = read_copy(text, len + 2);
                size_t expected = specials[s] == '"' || specials[s] == '\\' ? at + 1 : at;
                if (specials[s] == '\\' && at == len) {
                    expected = len + 2; // it escapes the quote that would end the string
                }
                assert_false(got.read);
                assert_int_equal(got.offset, expected);
            }
        }
    }
}

static void every_plain_byte_is_accepted_in_runs_of_every_length(void **state)
{
    (void)state;
    for (unsigned byte = 0x20; byte < 0x80; byte++) {
        if (byte == '"' || byte == '\\') {
            continue;
        }
        for (size_t len = 0; len < 40; len++) {
            char text[48];
            memset(text, (int)byte, sizeof text);
            text[0] = '"';
            text[len + 1] = '"';
            assert_true(read_copy(text, len + 2).read);
        }
    }
}

// All two- and three-byte sequences and the edges of four-byte ones, against the definition.
static void utf8_is_accepted_exactly_where_rfc_3629_defines_it(void **state)
{
    (void)state;
    for (unsigned a = 0x80; a <= 0xFF; a++) {
        for (unsigned b = 0; b <= 0xFF; b++) {
            bool two = a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF;
            char pair[] = {'"', (char)a, (char)b, '"'};
            assert_int_equal(read_copy(pair, sizeof pair).read, two);
            for (unsigned c = 0x7F; c <= 0xC0; c++) {
                unsigned code = (a & 0x0F) << 12 | (b & 0x3F) << 6 | (c & 0x3F);
                bool three = (a & 0xF0) == 0xE0 && (b & 0xC0) == 0x80 && (c & 0xC0) == 0x80 &&
                             code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
                bool pair_and_ascii = two && c == 0x7F;
                char text[] = {'"', (char)a, (char)b, (char)c, '"'};
                assert_int_equal(read_copy(text, sizeof text).read, three || pair_and_ascii);
                if ((a & 0xF0) != 0xF0) {
                    continue;
                }
                unsigned code4 = (a & 0x07) << 18 | (b & 0x3F) << 12 | (c & 0x3F) << 6;
                bool four = a < 0xF8 && (b & 0xC0) == 0x80 && (c & 0xC0) == 0x80 &&
                            code4 >= 0x10000 && code4 <= 0x10FFFF;
                char longer[] = {'"', (char)a, (char)b, (char)c, '\x80', '"'};
                assert_int_equal(read_copy(longer, sizeof longer).read, four);
            }
        }
    }
}

// Spans nest, counts and `next` agree with what a walk finds.
static uint32_t check_subtree(jrpc_json value)
{
    const jrpc_json_node *node = &value.document->nodes[value.index];
    assert_true(node->begin < node->end && node->end <= value.document->text.len);
    uint32_t index = value.index + 1;
    uint32_t steps = 0;
    uint32_t last_end = node->begin;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it); steps++) {
        if (jrpc_json_is(value, JRPC_JSON_OBJECT)) {
            assert_int_equal(it.key.index, index);
            assert_true(jrpc_json_is(it.key, JRPC_JSON_STRING));
            assert_int_equal(check_subtree(it.key), index + 1);
            index++;
        }
        assert_int_equal(it.value.index, index);
        assert_true(jrpc_json_offset(it.value) > last_end || steps == 0);
        index = check_subtree(it.value);
        last_end = (uint32_t)jrpc_json_offset(it.value);
    }
    if (jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        assert_int_equal(node->count, steps);
    }
    assert_int_equal(node->next, index);
    return index;
}

static void nodes_nest_and_point_behind_themselves(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < LENGTH(valid); i++) {
        assert_true(jrpc_json_read(&document, valid[i], DEPTH, NULL));
        assert_int_equal(check_subtree(jrpc_json_root(&document)), document.count);
    }
    jrpc_json_document_done(&document);
}

static void the_nodes_grow_with_any_text(void **state)
{
    (void)state;
    // Larger than what gets room at once, and denser than the estimate.
    enum { ELEMENTS = 20000 };
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), (size_t)1 << 20);
    (void)jrpc_buffer_append_char(&text, '[');
    for (int i = 0; i < ELEMENTS; i++) {
        (void)jrpc_buffer_append_str(&text, i == 0 ? "1" : ",[]");
    }
    assert_true(jrpc_buffer_append_char(&text, ']'));
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_buffer_slice(&text), DEPTH, NULL));
    assert_int_equal(document.count, ELEMENTS + 1);
    assert_int_equal(check_subtree(jrpc_json_root(&document)), document.count);
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&text);
}

static void reading_survives_the_failure_of_every_allocation(void **state)
{
    (void)state;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), (size_t)1 << 20);
    (void)jrpc_buffer_append_char(&text, '[');
    for (int i = 0; i < 20000; i++) {
        (void)jrpc_buffer_append_str(&text, "0,");
    }
    assert_true(jrpc_buffer_append_str(&text, "0]"));
    size_t successes = 0;
    for (;; successes++) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, successes);
        jrpc_json_document document;
        jrpc_json_document_init(&document, &failing.allocator);
        jrpc_error error = {0};
        bool read = jrpc_json_read(&document, jrpc_buffer_slice(&text), DEPTH, &error);
        assert_int_equal(document.count, read ? 20002 : 0);
        assert_int_equal(error.code, read ? JRPC_OK : JRPC_ERROR_MEMORY);
        jrpc_json_document_done(&document);
        if (read) {
            break;
        }
    }
    assert_true(successes >= 2); // the first room, and growing at least once
    jrpc_buffer_done(&text);
}

static void a_second_text_of_the_same_size_needs_no_memory(void **state)
{
    (void)state;
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, 1);
    jrpc_json_document document;
    jrpc_json_document_init(&document, &failing.allocator);
    assert_true(jrpc_json_read(&document, JRPC_SLICE("[1,2,3]"), 1, NULL));
    assert_true(jrpc_json_read(&document, JRPC_SLICE("[4,5,6]"), 1, NULL));
    assert_true(jrpc_json_read(&document, JRPC_SLICE("[]"), 1, NULL));
    assert_int_equal(failing.count, 1);
    jrpc_json_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix_of_a_valid_text_fails_at_its_end_or_is_valid),
        cmocka_unit_test(the_offset_of_an_error_depends_on_no_byte_behind_it),
        cmocka_unit_test(random_bytes_from_the_alphabet_of_json_give_stable_offsets),
        cmocka_unit_test(a_special_byte_is_found_at_every_place_of_a_string),
        cmocka_unit_test(every_plain_byte_is_accepted_in_runs_of_every_length),
        cmocka_unit_test(utf8_is_accepted_exactly_where_rfc_3629_defines_it),
        cmocka_unit_test(nodes_nest_and_point_behind_themselves),
        cmocka_unit_test(the_nodes_grow_with_any_text),
        cmocka_unit_test(reading_survives_the_failure_of_every_allocation),
        cmocka_unit_test(a_second_text_of_the_same_size_needs_no_memory),
    };
    return cmocka_run_group_tests_name("json/read_properties", tests, NULL, NULL);
}
