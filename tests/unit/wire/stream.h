// Streams as the tests of this room see them: bytes in, a line of events out.
#ifndef JRPC_TESTS_WIRE_STREAM_H
#define JRPC_TESTS_WIRE_STREAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/wire/framing.h"

#define STREAM_EVENTS_BYTES ((size_t)1 << 20)

// Drains `next` into `events`: "D(payload)", "S(skipped)" for SYNTAX, "L(shown)" for LIMIT.
static inline void stream_drain(jrpc_decoder *decoder,
                                jrpc_decoded (*next)(jrpc_decoder *, jrpc_slice *, jrpc_error *),
                                jrpc_buffer *events)
{
    for (;;) {
        jrpc_slice payload = {NULL, 0};
        jrpc_error error = {.code = JRPC_OK};
        jrpc_decoded decoded = next(decoder, &payload, &error);
        if (decoded == JRPC_DECODED_MORE) {
            return;
        }
        const char *kind = "D(";
        if (decoded == JRPC_DECODED_BAD) {
            assert_true(error.code == JRPC_ERROR_SYNTAX || error.code == JRPC_ERROR_LIMIT);
            assert_true(error.message[0] != '\0');
            kind = error.code == JRPC_ERROR_LIMIT ? "L(" : "S(";
        } else {
            assert_int_equal(error.code, JRPC_OK);
        }
        jrpc_buffer_append_str(events, kind);
        jrpc_buffer_append(events, payload);
        assert_true(jrpc_buffer_append_str(events, ")"));
    }
}

// Feeds the chunks in turn, draining after each, then ends the stream.
static inline void stream_run(jrpc_framing framing, size_t max_message, const jrpc_slice *chunks,
                              size_t count, jrpc_buffer *events)
{
    jrpc_decoder decoder;
    jrpc_decoder_init(&decoder, framing, max_message, jrpc_allocator_heap());
    for (size_t i = 0; i < count; i++) {
        assert_true(jrpc_decoder_feed(&decoder, chunks[i], NULL));
        stream_drain(&decoder, jrpc_decoder_next, events);
    }
    stream_drain(&decoder, jrpc_decoder_end, events);
    jrpc_decoder_done(&decoder);
}

static inline void stream_assert(const jrpc_buffer *events, jrpc_slice expected, const char *how,
                                 size_t split)
{
    if (!jrpc_slice_equal(jrpc_buffer_slice(events), expected)) {
        fail_msg("%s, split at %zu:\n  got      %.*s\n  expected %.*s", how, split,
                 (int)events->len, events->ptr, (int)expected.len, expected.ptr);
    }
}

// The stream gives `expected` whole, split in two at every place, and byte by byte.
static inline void stream_check(jrpc_framing framing, size_t max_message, jrpc_slice stream,
                                jrpc_slice expected)
{
    jrpc_buffer events;
    jrpc_buffer_init(&events, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
    stream_run(framing, max_message, &stream, 1, &events);
    stream_assert(&events, expected, "in one chunk", 0);
    for (size_t at = 0; at <= stream.len; at++) {
        jrpc_slice parts[] = {{stream.ptr, at}, jrpc_slice_from(stream, at)};
        jrpc_buffer_clear(&events);
        stream_run(framing, max_message, parts, 2, &events);
        stream_assert(&events, expected, "in two chunks", at);
    }
    jrpc_decoder decoder;
    jrpc_decoder_init(&decoder, framing, max_message, jrpc_allocator_heap());
    jrpc_buffer_clear(&events);
    for (size_t at = 0; at < stream.len; at++) {
        assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(stream.ptr + at, 1), NULL));
        stream_drain(&decoder, jrpc_decoder_next, &events);
        assert_int_equal(decoder.scanned, decoder.input.len);
    }
    stream_drain(&decoder, jrpc_decoder_end, &events);
    stream_assert(&events, expected, "byte by byte", stream.len);
    jrpc_decoder_done(&decoder);
    jrpc_buffer_done(&events);
}

#endif
