// Streams of events: whole, split at every byte, and beyond their limit.
#include "reference/wire/sse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EVENTS_BYTES = 1 << 16 };

static void read_all(jrpc_sse *sse, jrpc_slice bytes, jrpc_buffer *events)
{
    jrpc_slice data;
    for (;;) {
        jrpc_error error = {.code = JRPC_OK};
        switch (jrpc_sse_next(sse, &bytes, &data, &error)) {
        case JRPC_DECODED_DONE:
            jrpc_buffer_append_str(events, "D(");
            jrpc_buffer_append(events, data);
            assert_true(jrpc_buffer_append_str(events, ")"));
            break;
        case JRPC_DECODED_BAD:
            assert_int_equal(error.code, JRPC_ERROR_LIMIT);
            assert_true(jrpc_buffer_append_str(events, "L"));
            break;
        case JRPC_DECODED_MORE:
            assert_int_equal(bytes.len, 0);
            return;
        }
    }
}

static void check(size_t max_message, jrpc_slice stream, const char *expected)
{
    jrpc_buffer events;
    jrpc_buffer_init(&events, jrpc_allocator_heap(), EVENTS_BYTES);
    for (size_t split = 0; split <= stream.len; split++) {
        jrpc_sse sse;
        jrpc_sse_init(&sse, max_message, jrpc_allocator_heap());
        jrpc_buffer_clear(&events);
        read_all(&sse, jrpc_slice_of(stream.ptr, split), &events);
        for (size_t at = split; at < stream.len; at++) {
            read_all(&sse, jrpc_slice_of(stream.ptr + at, 1), &events);
        }
        if (!jrpc_slice_is(jrpc_buffer_slice(&events), expected)) {
            fail_msg("split at %zu: got %.*s, expected %s", split, (int)events.len, events.ptr,
                     expected);
        }
        jrpc_sse_done(&sse);
    }
    jrpc_buffer_done(&events);
}

static void events_are_read_however_the_bytes_are_split(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice stream;
        const char *expected;
    } table[] = {
        {JRPC_SLICE_INIT("data: {}\n\n"), "D({})"},
        {JRPC_SLICE_INIT("data:{}\r\n\r\ndata: 1\r\rdata: 2\n\n"), "D({})D(1)D(2)"},
        {JRPC_SLICE_INIT("data: a\ndata: b\n\n"), "D(a\nb)"},
        {JRPC_SLICE_INIT(": a comment\nevent: message\nid: 7\nretry: 1\ndata: x\n\n"), "D(x)"},
        {JRPC_SLICE_INIT("\xEF\xBB\xBF"
                         "data: x\n\n"),
         "D(x)"},
        {JRPC_SLICE_INIT("data\n\n"), "D()"},
        {JRPC_SLICE_INIT("data:  two spaces\n\n"), "D( two spaces)"},
        {JRPC_SLICE_INIT("database: x\n\nid: 1\n\n\n\n"), ""},
        {JRPC_SLICE_INIT("data: cut off\n"), ""},
        {JRPC_SLICE_INIT(""), ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        check(1000, table[i].stream, table[i].expected);
    }
}

static void an_event_over_the_limit_is_passed_over_and_the_next_is_read(void **state)
{
    (void)state;
    check(4, JRPC_SLICE("data: abcd\n\ndata: abcde\n\ndata: x\n\n"), "D(abcd)LD(x)");
    check(4, JRPC_SLICE("data: ab\ndata: cd\ndata: ef\n\ndata: x\n\n"), "LD(x)");
}

static void what_is_encoded_is_read_back(void **state)
{
    (void)state;
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), EVENTS_BYTES);
    assert_true(jrpc_sse_encode(JRPC_SLICE("{\"a\":\n1}"), &stream));
    assert_true(jrpc_sse_encode(JRPC_SLICE(""), &stream));
    check(1000, jrpc_buffer_slice(&stream), "D({\"a\":\n1})D()");
    jrpc_buffer_done(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_read_however_the_bytes_are_split),
        cmocka_unit_test(an_event_over_the_limit_is_passed_over_and_the_next_is_read),
        cmocka_unit_test(what_is_encoded_is_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
