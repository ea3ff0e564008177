// What is built from any parts reads back as those parts, and passes the check of its receiver.
//
//   test_resource_properties [MESSAGES]   default 100000, half of them result messages; the seed is
//                                         fixed, so every run makes the same
#include "reference/base/random.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/rpc/build.h"
#include "tests/unit/rpc/rpc_test.h"

#include <stdlib.h>

enum { NAME_CHARACTERS = 12, MESSAGES = 100000, SEED = 6 };

static unsigned long messages = MESSAGES;

// Parts made up for one message; the buffers hold what the slices show.
typedef struct parts {
    jrpc_buffer text[8];
    size_t used;
    jrpc_random random;
    jrpc_json_document value, other;
} parts;

static void init(parts *made)
{
    *made = (parts){.used = 0};
    jrpc_random_init(&made->random, SEED);
    for (size_t i = 0; i < sizeof made->text / sizeof made->text[0]; i++) {
        jrpc_buffer_init(&made->text[i], jrpc_allocator_heap(), OUT_BYTES);
    }
    jrpc_json_document_init(&made->value, jrpc_allocator_heap());
    jrpc_json_document_init(&made->other, jrpc_allocator_heap());
}

static void done(parts *made)
{
    for (size_t i = 0; i < sizeof made->text / sizeof made->text[0]; i++) {
        jrpc_buffer_done(&made->text[i]);
    }
    jrpc_json_document_done(&made->value);
    jrpc_json_document_done(&made->other);
}

static jrpc_buffer *next_text(parts *made)
{
    jrpc_buffer *text = &made->text[made->used++];
    jrpc_buffer_clear(text);
    return text;
}

static bool often(parts *made, uint64_t of_ten)
{
    return jrpc_random_below(&made->random, 10) < of_ten;
}

// Any text: plain, with what must be escaped, with NUL, with characters of two to four bytes.
static void append_text(parts *made, jrpc_buffer *text, bool dots)
{
    static const char *const characters[] = {"a",
                                             "Z",
                                             "7",
                                             "_",
                                             "-",
                                             " ",
                                             "/",
                                             "\"",
                                             "\\",
                                             "\n",
                                             "\x01",
                                             "\x7F",
                                             "\xC3\xA9",
                                             "\xE2\x82\xAC",
                                             "\xF0\x9D\x84\x9E",
                                             "."};
    size_t kinds = sizeof characters / sizeof characters[0] - (dots ? 0 : 1);
    uint64_t count = 1 + jrpc_random_below(&made->random, NAME_CHARACTERS);
    for (uint64_t i = 0; i < count; i++) {
        if (jrpc_random_below(&made->random, 40) == 0) {
            jrpc_buffer_append_char(text, '\0');
        } else {
            jrpc_buffer_append_str(text, characters[jrpc_random_below(&made->random, kinds)]);
        }
    }
}

// A name that is neither reserved nor has a dot.
static jrpc_slice make_name(parts *made)
{
    jrpc_buffer *text = next_text(made);
    append_text(made, text, false);
    jrpc_slice name = jrpc_buffer_slice(text);
    if (jrpc_slice_is(name, "rpc") || jrpc_resource_verb_is_reserved(name)) {
        jrpc_buffer_append_char(text, 'x');
    }
    return jrpc_buffer_slice(text);
}

// The spelling of a String or a Number.
static void append_scalar(parts *made, jrpc_buffer *text)
{
    static const char *const numbers[] = {"0",    "-0",    "42",   "9007199254740993",
                                          "1.50", "-1E-7", "1e400"};
    if (often(made, 4)) {
        jrpc_buffer_append_str(
            text, numbers[jrpc_random_below(&made->random, sizeof numbers / sizeof numbers[0])]);
        return;
    }
    jrpc_buffer content;
    jrpc_buffer_init(&content, jrpc_allocator_heap(), OUT_BYTES);
    append_text(made, &content, true);
    assert_true(jrpc_json_quote(text, jrpc_buffer_slice(&content)));
    jrpc_buffer_done(&content);
}

static jrpc_slice make_scalar(parts *made)
{
    jrpc_buffer *text = next_text(made);
    append_scalar(made, text);
    return jrpc_buffer_slice(text);
}

// The spelling of an Object, or an Array if that will do.
static jrpc_slice make_structure(parts *made, bool array)
{
    jrpc_buffer *text = next_text(made);
    jrpc_buffer_append_char(text, array ? '[' : '{');
    uint64_t count = jrpc_random_below(&made->random, 4);
    for (uint64_t i = 0; i < count; i++) {
        jrpc_buffer_append_str(text, i == 0 ? "" : " , ");
        if (!array) {
            jrpc_buffer_printf(text, "\"member %d\" :\t", (int)i);
        }
        append_scalar(made, text);
    }
    jrpc_buffer_append_char(text, array ? ']' : '}');
    return jrpc_buffer_slice(text);
}

static void assert_name(jrpc_json found, jrpc_slice name)
{
    assert_int_equal(jrpc_json_exists(found), name.len != 0);
    assert_true(name.len == 0 || jrpc_json_string_is(found, name));
}

static void assert_value(parts *made, jrpc_json found, jrpc_slice spelling)
{
    assert_int_equal(jrpc_json_exists(found), spelling.len != 0);
    if (spelling.len != 0) {
        assert_true(jrpc_json_read(&made->other, spelling, JRPC_LIMIT_DEPTH, NULL));
        assert_true(jrpc_json_equal(found, jrpc_json_root(&made->other)));
    }
}

// Reads a message as its receiver does; its fields, which must be valid.
static jrpc_resource receive(parts *made, const jrpc_buffer *text, jrpc_message *ret_message)
{
    assert_true(jrpc_json_read(&made->value, jrpc_buffer_slice(text), JRPC_LIMIT_DEPTH, NULL));
    *ret_message = jrpc_message_classify(jrpc_json_root(&made->value));
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_slice method;
    assert_true(jrpc_json_string(ret_message->method, &arena, &method));
    jrpc_resource fields = jrpc_resource_read(ret_message->value);
    assert_int_equal(jrpc_resource_check(&fields, method), JRPC_RESOURCE_VALID);
    jrpc_arena_done(&arena);
    return fields;
}

static void a_request_that_was_built_reads_back_as_its_parts(void **state)
{
    (void)state;
    parts made;
    init(&made);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), OUT_BYTES);
    for (unsigned long i = 0; i < messages / 2; i++) {
        made.used = 0;
        jrpc_request_parts asked = {.resource = make_name(&made), .verb = make_name(&made)};
        if (often(&made, 4)) {
            asked.subresource = make_name(&made);
            asked.parent = often(&made, 7) ? make_scalar(&made) : asked.parent;
        }
        asked.target = often(&made, 7) ? make_scalar(&made) : asked.target;
        asked.params = often(&made, 5) ? make_structure(&made, often(&made, 5)) : asked.params;
        asked.cache = often(&made, 3) ? JRPC_SLICE("no-cache") : asked.cache;
        asked.id = often(&made, 2) ? asked.id : make_scalar(&made);
        jrpc_buffer_clear(&text);
        assert_true(jrpc_build_request(&text, &asked, NULL));
        jrpc_message message;
        jrpc_resource fields = receive(&made, &text, &message);
        assert_int_equal(message.kind,
                         asked.id.len == 0 ? JRPC_MESSAGE_NOTIFICATION : JRPC_MESSAGE_CALL);
        assert_name(fields.resource, asked.resource);
        assert_name(fields.subresource, asked.subresource);
        assert_name(fields.verb, asked.verb);
        assert_value(&made, fields.target, asked.target);
        assert_value(&made, fields.parent, asked.parent);
        assert_value(&made, message.params, asked.params);
        assert_value(&made, message.id, asked.id);
        assert_name(fields.cache, asked.cache);
        assert_false(jrpc_json_exists(fields.request_id) || jrpc_json_exists(fields.result));
    }
    jrpc_buffer_done(&text);
    done(&made);
}

static void a_result_message_that_was_built_reads_back_as_its_parts(void **state)
{
    (void)state;
    parts made;
    init(&made);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), OUT_BYTES);
    for (unsigned long i = 0; i < messages / 2; i++) {
        made.used = 0;
        jrpc_result_parts built = {.resource = make_name(&made), .final = often(&made, 5)};
        if (often(&made, 3)) {
            built.subresource = make_name(&made);
            built.parent = often(&made, 7) ? make_scalar(&made) : built.parent;
        }
        built.target = often(&made, 7) ? make_scalar(&made) : built.target;
        built.request_id = often(&made, 7) ? make_scalar(&made) : built.request_id;
        bool second = often(&made, 5);
        if (often(&made, 7)) {
            built.status = built.final ? (second ? JRPC_STATUS_DONE : JRPC_STATUS_ERROR)
                                       : (second ? JRPC_STATUS_ACCEPTED : JRPC_STATUS_PENDING);
        }
        bool needed = built.status == JRPC_STATUS_NONE;
        if (needed || often(&made, 5)) {
            built.result = make_structure(&made, needed && often(&made, 5));
        }
        jrpc_buffer_clear(&text);
        assert_true(jrpc_build_result(&text, &built, NULL));
        jrpc_message message;
        jrpc_resource fields = receive(&made, &text, &message);
        assert_int_equal(message.kind, JRPC_MESSAGE_RESULT);
        assert_name(fields.resource, built.resource);
        assert_name(fields.subresource, built.subresource);
        assert_name(fields.verb, built.final ? JRPC_SLICE("return") : JRPC_SLICE("yield"));
        assert_value(&made, fields.target, built.target);
        assert_value(&made, fields.parent, built.parent);
        assert_value(&made, fields.request_id, built.request_id);
        assert_int_equal(jrpc_status_of(fields.result), built.status);
        if (needed) {
            assert_value(&made, fields.result, built.result);
        }
        assert_false(jrpc_json_exists(fields.cache));
    }
    jrpc_buffer_done(&text);
    done(&made);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        messages = strtoul(argv[1], NULL, 10);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_that_was_built_reads_back_as_its_parts),
        cmocka_unit_test(a_result_message_that_was_built_reads_back_as_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
