// Names, what can travel, and that what was encoded comes out again.
#include "tests/unit/wire/stream.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const jrpc_framing all[] = {JRPC_FRAMING_LINE, JRPC_FRAMING_CONTENT_LENGTH,
                                   JRPC_FRAMING_CONCATENATED, JRPC_FRAMING_LENGTH32};

static void every_framing_has_a_name(void **state)
{
    (void)state;
    static const char *const names[] = {"line", "content-length", "concatenated", "length32"};
    for (size_t i = 0; i < COUNT(all); i++) {
        assert_string_equal(jrpc_framing_name(all[i]), names[i]);
        jrpc_framing framing = all[(i + 1) % COUNT(all)];
        assert_true(jrpc_framing_from_name(jrpc_slice_str(names[i]), &framing));
        assert_int_equal(framing, all[i]);
        assert_int_equal(jrpc_framing_delimited(all[i]), all[i] != JRPC_FRAMING_CONCATENATED);
    }
    jrpc_framing untouched = JRPC_FRAMING_LENGTH32;
    assert_false(jrpc_framing_from_name(JRPC_SLICE("Line"), &untouched));
    assert_false(jrpc_framing_from_name(JRPC_SLICE(""), &untouched));
    assert_int_equal(untouched, JRPC_FRAMING_LENGTH32);
}

static const struct {
    jrpc_slice payload;
    bool line, concatenated;
} payloads[] = {
    {JRPC_SLICE_INIT("{\"a\":[1,\"}\\\"\"]}"), true, true},
    {JRPC_SLICE_INIT("[]"), true, true},
    {JRPC_SLICE_INIT("\"a\\\\\""), true, true},
    {JRPC_SLICE_INIT("-1.5e3"), true, true},
    {JRPC_SLICE_INIT("null"), true, true},
    {JRPC_SLICE_INIT(" {} "), true, true},
    {JRPC_SLICE_INIT("{\n}"), false, true},
    {JRPC_SLICE_INIT("[01,]"), true, true}, // no JSON, but its end can be seen
    {JRPC_SLICE_INIT("\xff"), true, false},
    {JRPC_SLICE_INIT(""), true, false},
    {JRPC_SLICE_INIT(" "), true, false},
    {JRPC_SLICE_INIT("\n"), false, false},
    {JRPC_SLICE_INIT("{\"a\":"), true, false},
    {JRPC_SLICE_INIT("[[]"), true, false},
    {JRPC_SLICE_INIT("[\"]"), true, false},
    {JRPC_SLICE_INIT("\"abc"), true, false},
    {JRPC_SLICE_INIT("\"abc\\"), true, false},
    {JRPC_SLICE_INIT("{}}"), true, false},
    {JRPC_SLICE_INIT("]"), true, false},
    {JRPC_SLICE_INIT("1]"), true, false},
    {JRPC_SLICE_INIT("{}{}"), true, false},
    {JRPC_SLICE_INIT("1 2"), true, false},
    {JRPC_SLICE_INIT("1[]"), true, false},
    {JRPC_SLICE_INIT("{},"), true, false},
    {JRPC_SLICE_INIT("'a'"), true, false},
    {JRPC_SLICE_INIT("// {}"), true, false},
    {JRPC_SLICE_INIT("\xef\xbb\xbf{}"), true, false},
    {JRPC_SLICE_INIT("{\0}"), true, true},
};

static bool travels(jrpc_framing framing, size_t i)
{
    switch (framing) {
    case JRPC_FRAMING_LINE:
        return payloads[i].line;
    case JRPC_FRAMING_CONCATENATED:
        return payloads[i].concatenated;
    case JRPC_FRAMING_CONTENT_LENGTH:
    case JRPC_FRAMING_LENGTH32:
        return true;
    }
    return false;
}

static void what_cannot_travel_is_reported(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT(all); f++) {
        for (size_t i = 0; i < COUNT(payloads); i++) {
            jrpc_error error = {.code = JRPC_OK};
            bool carried = jrpc_framing_carries(all[f], payloads[i].payload, &error);
            if (carried != travels(all[f], i)) {
                fail_msg("%s, payload %zu: %s", jrpc_framing_name(all[f]), i, error.message);
            }
            assert_int_equal(error.code, carried ? JRPC_OK : JRPC_ERROR_INVALID);
        }
    }
}

static jrpc_slice trimmed(jrpc_slice text)
{
    while (text.len != 0 && text.ptr[0] == ' ') {
        text = jrpc_slice_from(text, 1);
    }
    while (text.len != 0 && text.ptr[text.len - 1] == ' ') {
        text.len--;
    }
    return text;
}

// Each payload that can travel goes out and comes back between two others.
static void what_was_encoded_comes_out_again(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT(all); f++) {
        for (size_t i = 0; i < COUNT(payloads); i++) {
            if (!travels(all[f], i)) {
                continue;
            }
            jrpc_buffer stream;
            jrpc_buffer expected;
            jrpc_buffer_init(&stream, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
            jrpc_buffer_init(&expected, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
            assert_true(jrpc_framing_encode(all[f], JRPC_SLICE("[1]"), &stream));
            assert_true(jrpc_framing_encode(all[f], payloads[i].payload, &stream));
            assert_true(jrpc_framing_encode(all[f], JRPC_SLICE("7"), &stream));
            jrpc_buffer_append_str(&expected, "D([1])D(");
            jrpc_buffer_append(&expected, all[f] == JRPC_FRAMING_CONCATENATED
                                              ? trimmed(payloads[i].payload)
                                              : payloads[i].payload);
            jrpc_buffer_append_str(&expected, ")D(7)");
            stream_check(all[f], 64, jrpc_buffer_slice(&stream), jrpc_buffer_slice(&expected));
            jrpc_buffer_done(&expected);
            jrpc_buffer_done(&stream);
        }
    }
}

static void frames_are_spelled_as_documented(void **state)
{
    (void)state;
    static const struct {
        jrpc_framing framing;
        jrpc_slice payload, frame;
    } frames[] = {
        {JRPC_FRAMING_LINE, JRPC_SLICE_INIT("{}"), JRPC_SLICE_INIT("{}\n")},
        {JRPC_FRAMING_CONTENT_LENGTH, JRPC_SLICE_INIT("\"\xc3\xa4\""),
         JRPC_SLICE_INIT("Content-Length: 4\r\n\r\n\"\xc3\xa4\"")},
        {JRPC_FRAMING_CONCATENATED, JRPC_SLICE_INIT("{}"), JRPC_SLICE_INIT("{}")},
        {JRPC_FRAMING_CONCATENATED, JRPC_SLICE_INIT("12"), JRPC_SLICE_INIT("12\n")},
        {JRPC_FRAMING_LENGTH32, JRPC_SLICE_INIT("{}"), JRPC_SLICE_INIT("\0\0\0\2{}")},
    };
    for (size_t i = 0; i < COUNT(frames); i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), frames[i].frame.len);
        assert_true(jrpc_framing_encode(frames[i].framing, frames[i].payload, &out));
        assert_true(jrpc_slice_equal(jrpc_buffer_slice(&out), frames[i].frame));
        jrpc_buffer_done(&out);
        jrpc_buffer_init(&out, jrpc_allocator_heap(), frames[i].frame.len - 1);
        assert_false(jrpc_framing_encode(frames[i].framing, frames[i].payload, &out));
        jrpc_buffer_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_framing_has_a_name),
        cmocka_unit_test(what_cannot_travel_is_reported),
        cmocka_unit_test(what_was_encoded_comes_out_again),
        cmocka_unit_test(frames_are_spelled_as_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
