// Memory, time and failing allocations of the decoders.
#include "tests/unit/wire/stream.h"

#include "reference/base/limits.h"

#include <stdlib.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
#define CHUNK_BYTES ((size_t)4096)

static void init(jrpc_decoder *decoder, jrpc_framing framing, size_t max_message)
{
    jrpc_decoder_init(decoder, framing, max_message, jrpc_allocator_heap());
}

static void feed(jrpc_decoder *decoder, const char *text)
{
    assert_true(jrpc_decoder_feed(decoder, jrpc_slice_str(text), NULL));
}

static void assert_next(jrpc_decoder *decoder, jrpc_decoded expected, const char *payload)
{
    jrpc_slice got = {NULL, 0};
    assert_int_equal(jrpc_decoder_next(decoder, &got, NULL), expected);
    if (expected != JRPC_DECODED_MORE) {
        assert_true(jrpc_slice_is(got, payload));
    }
}

// What was looked at is made unrecognizable: who looked again would see another stream.
static void no_byte_is_looked_at_twice(void **state)
{
    (void)state;
    static const struct {
        jrpc_framing framing;
        char filler;
        char poison;
        jrpc_slice prefix;
        jrpc_slice suffix;
    } rows[] = {
        {JRPC_FRAMING_LINE, 'x', '\n', JRPC_SLICE_INIT(""), JRPC_SLICE_INIT("\n")},
        {JRPC_FRAMING_CONCATENATED, 'x', ']', JRPC_SLICE_INIT("["), JRPC_SLICE_INIT("]")},
        {JRPC_FRAMING_CONCATENATED, 'x', '"', JRPC_SLICE_INIT("\""), JRPC_SLICE_INIT("\"")},
        {JRPC_FRAMING_CONCATENATED, '1', ' ', JRPC_SLICE_INIT("1"), JRPC_SLICE_INIT(" ")},
        {JRPC_FRAMING_CONTENT_LENGTH, 'x', '\n', JRPC_SLICE_INIT(""), JRPC_SLICE_INIT("\n")},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        jrpc_decoder decoder;
        init(&decoder, rows[i].framing, 4000);
        assert_true(jrpc_decoder_feed(&decoder, rows[i].prefix, NULL));
        assert_next(&decoder, JRPC_DECODED_MORE, NULL);
        for (size_t n = 0; n < 3000; n++) {
            assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(&rows[i].filler, 1), NULL));
            assert_next(&decoder, JRPC_DECODED_MORE, NULL);
            assert_int_equal(decoder.scanned, decoder.input.len);
            memset(decoder.input.ptr, rows[i].poison, decoder.scanned);
        }
        assert_true(jrpc_decoder_feed(&decoder, rows[i].suffix, NULL));
        jrpc_slice payload;
        assert_int_not_equal(jrpc_decoder_next(&decoder, &payload, NULL), JRPC_DECODED_MORE);
        assert_true(payload.len >= 3000);
        assert_next(&decoder, JRPC_DECODED_MORE, NULL);
        jrpc_decoder_done(&decoder);
    }
}

static void a_flood_without_a_frame_never_grows(void **state)
{
    (void)state;
    static const struct {
        jrpc_framing framing;
        char filler;
        const char *prefix;
        const char *suffix;
        const char *last;
    } rows[] = {
        {JRPC_FRAMING_LINE, 'x', "", "\n{}\n", "{}"},
        {JRPC_FRAMING_CONCATENATED, 'x', "[", "]{}", "{}"},
        {JRPC_FRAMING_CONCATENATED, 'x', "\"", "\"{}", "{}"},
        {JRPC_FRAMING_CONCATENATED, 'x', "x", "{}", "{}"},
        {JRPC_FRAMING_CONCATENATED, '1', "1", " {}", "{}"},
        {JRPC_FRAMING_CONTENT_LENGTH, 'x', "", "\nContent-Length: 2\r\n\r\n{}", "{}"},
        {JRPC_FRAMING_CONTENT_LENGTH, 'x', "", "}Content-Length: 2\r\n\r\n{}", "{}"},
        {JRPC_FRAMING_CONTENT_LENGTH, 'x', "Content-Length: 4096000\r\n\r\n",
         "Content-Length: 2\r\n\r\n{}", "{}"},
    };
    static char chunk[CHUNK_BYTES];
    for (size_t i = 0; i < COUNT(rows); i++) {
        jrpc_decoder decoder;
        init(&decoder, rows[i].framing, 100);
        feed(&decoder, rows[i].prefix);
        memset(chunk, rows[i].filler, sizeof chunk);
        jrpc_slice payload;
        for (size_t n = 0; n < 1000; n++) {
            assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(chunk, sizeof chunk), NULL));
            jrpc_error error = {.code = JRPC_OK};
            jrpc_decoded decoded;
            while ((decoded = jrpc_decoder_next(&decoder, &payload, &error)) != JRPC_DECODED_MORE) {
                assert_int_equal(decoded, JRPC_DECODED_BAD);
                assert_int_equal(error.code, JRPC_ERROR_LIMIT);
            }
            assert_true(decoder.input.capacity <= 100 + JRPC_LIMIT_HEADER_BYTES + 2 * CHUNK_BYTES);
        }
        feed(&decoder, rows[i].suffix);
        jrpc_decoded decoded = JRPC_DECODED_BAD;
        while (decoded == JRPC_DECODED_BAD) {
            decoded = jrpc_decoder_next(&decoder, &payload, NULL);
        }
        assert_int_equal(decoded, JRPC_DECODED_DONE);
        assert_true(jrpc_slice_is(payload, rows[i].last));
        jrpc_decoder_done(&decoder);
    }
}

static void a_feed_is_refused_while_too_much_waits(void **state)
{
    (void)state;
    static char flood[100 + ((size_t)16 << 10) + 1];
    assert_int_equal(sizeof flood, 100 + JRPC_LIMIT_HEADER_BYTES + 1);
    memset(flood, 'x', sizeof flood);
    jrpc_decoder decoder;
    init(&decoder, JRPC_FRAMING_LINE, 100);
    assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(flood, sizeof flood), NULL));
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_decoder_feed(&decoder, JRPC_SLICE("\n{}\n"), &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    assert_int_equal(decoder.input.len, sizeof flood);
    jrpc_slice shown;
    assert_int_equal(jrpc_decoder_next(&decoder, &shown, &error), JRPC_DECODED_BAD);
    assert_int_equal(shown.len, 100);
    assert_next(&decoder, JRPC_DECODED_MORE, NULL);
    feed(&decoder, "\n{}\n");
    assert_next(&decoder, JRPC_DECODED_DONE, "{}");
    jrpc_decoder_done(&decoder);
}

static void a_head_without_an_end_is_refused_at_its_limit(void **state)
{
    (void)state;
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
    for (size_t i = 0; stream.len < 2 * JRPC_LIMIT_HEADER_BYTES; i++) {
        assert_true(jrpc_buffer_printf(&stream, "X-%zu: y\r\n", i));
    }
    jrpc_buffer_append_str(&stream, "\r\nContent-Length: 2\r\n\r\n{}");
    jrpc_buffer whole;
    jrpc_buffer pieces;
    jrpc_buffer_init(&whole, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
    jrpc_buffer_init(&pieces, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
    jrpc_slice all = jrpc_buffer_slice(&stream);
    stream_run(JRPC_FRAMING_CONTENT_LENGTH, 100, &all, 1, &whole);
    for (size_t size = 1; size < 40000; size = size * 3 + 1) {
        static jrpc_slice chunks[40000];
        size_t count = 0;
        for (size_t at = 0; at < all.len; at += size, count++) {
            chunks[count] = jrpc_slice_of(all.ptr + at, all.len - at < size ? all.len - at : size);
        }
        jrpc_buffer_clear(&pieces);
        stream_run(JRPC_FRAMING_CONTENT_LENGTH, 100, chunks, count, &pieces);
        stream_assert(&pieces, jrpc_buffer_slice(&whole), "in chunks", size);
    }
    jrpc_slice events = jrpc_buffer_slice(&whole);
    assert_true(jrpc_slice_starts_with(events, JRPC_SLICE("L(X-0: y\r\n")));
    assert_true(jrpc_slice_is(jrpc_slice_from(events, events.len - 5), "D({})"));
    jrpc_buffer_done(&pieces);
    jrpc_buffer_done(&whole);
    jrpc_buffer_done(&stream);
}

// Wherever the window of one head ends, the header after a long body is found.
static void no_header_is_cut_in_two(void **state)
{
    (void)state;
    static const char header[] = "}Content-Length: 2\r\n\r\n{}";
    static char noise[JRPC_LIMIT_HEADER_BYTES + sizeof header];
    memset(noise, 'x', sizeof noise);
    for (size_t at = JRPC_LIMIT_HEADER_BYTES - 60; at <= JRPC_LIMIT_HEADER_BYTES; at++) {
        jrpc_decoder decoder;
        init(&decoder, JRPC_FRAMING_CONTENT_LENGTH, 100);
        assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(noise, at), NULL));
        feed(&decoder, header);
        jrpc_slice payload;
        jrpc_decoded decoded = JRPC_DECODED_BAD;
        size_t skipped = 0;
        while ((decoded = jrpc_decoder_next(&decoder, &payload, NULL)) == JRPC_DECODED_BAD) {
            skipped += payload.len;
        }
        assert_int_equal(decoded, JRPC_DECODED_DONE);
        assert_true(jrpc_slice_is(payload, "{}"));
        assert_int_equal(skipped, at + 1);
        jrpc_decoder_done(&decoder);
    }
}

static void bytes_that_did_not_fit_in_memory_may_come_again(void **state)
{
    (void)state;
    for (unsigned f = JRPC_FRAMING_LINE; f <= JRPC_FRAMING_LENGTH32; f++) {
        jrpc_buffer stream;
        jrpc_buffer_init(&stream, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
        char *payload = calloc(1, 3001);
        assert_non_null(payload);
        memset(payload, '1', 3000);
        assert_true(jrpc_framing_encode((jrpc_framing)f, jrpc_slice_of(payload, 3000), &stream));
        size_t failures = 0;
        for (size_t n = 0; n < 50; n++) {
            jrpc_failing_allocator failing;
            jrpc_failing_allocator_init(&failing, n);
            jrpc_decoder decoder;
            jrpc_decoder_init(&decoder, (jrpc_framing)f, 4000, &failing.allocator);
            jrpc_slice got = {NULL, 0};
            jrpc_decoded decoded = JRPC_DECODED_MORE;
            for (size_t at = 0; at < stream.len; at += 100) {
                jrpc_slice part = jrpc_slice_from(jrpc_buffer_slice(&stream), at);
                part.len = part.len < 100 ? part.len : 100;
                jrpc_error error = {.code = JRPC_OK};
                if (!jrpc_decoder_feed(&decoder, part, &error)) {
                    assert_int_equal(error.code, JRPC_ERROR_MEMORY);
                    failures++;
                    failing.remaining = SIZE_MAX;
                    assert_true(jrpc_decoder_feed(&decoder, part, NULL));
                }
                assert_int_equal(decoded, JRPC_DECODED_MORE);
                decoded = jrpc_decoder_next(&decoder, &got, NULL);
            }
            assert_int_equal(decoded, JRPC_DECODED_DONE);
            assert_int_equal(got.len, 3000);
            jrpc_decoder_done(&decoder);
        }
        assert_true(failures > 1 && failures < 50);
        free(payload);
        jrpc_buffer_done(&stream);
    }
}

static void a_zeroed_decoder_may_be_ended(void **state)
{
    (void)state;
    jrpc_decoder decoder = {.framing = JRPC_FRAMING_LINE};
    jrpc_decoder_done(&decoder);
    jrpc_decoder_done(&decoder);
}

static void many_small_messages_in_one_chunk_all_come_out(void **state)
{
    (void)state;
    jrpc_decoder decoder;
    init(&decoder, JRPC_FRAMING_LINE, (size_t)1 << 20);
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
    for (size_t i = 0; i < 100000; i++) {
        jrpc_buffer_append_str(&stream, "{}\n");
    }
    assert_true(jrpc_decoder_feed(&decoder, jrpc_buffer_slice(&stream), NULL));
    size_t moved = 0;
    for (size_t i = 0; i < 100000; i++) {
        size_t before = decoder.taken;
        assert_next(&decoder, JRPC_DECODED_DONE, "{}");
        moved += decoder.taken <= before ? decoder.input.len : 0;
    }
    assert_next(&decoder, JRPC_DECODED_MORE, NULL);
    assert_true(moved <= stream.len);
    jrpc_buffer_done(&stream);
    jrpc_decoder_done(&decoder);
}

// The room for a piece is counted from the piece: here the bytes before it are more than that, and
// fill a block whose size is a power of two.
static void a_small_piece_may_follow_a_large_one(void **state)
{
    (void)state;
    enum { FIRST = 32700, SECOND = 32787, BOTH = 1 << 16 };
    static char payload[SECOND];
    memset(payload, 'a', sizeof payload);
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), (size_t)1 << 17);
    jrpc_framing framing = JRPC_FRAMING_CONTENT_LENGTH;
    assert_true(jrpc_framing_encode(framing, jrpc_slice_of(payload, FIRST), &stream));
    assert_true(jrpc_framing_encode(framing, jrpc_slice_of(payload, SECOND), &stream));
    jrpc_decoder decoder;
    init(&decoder, framing, SECOND);
    jrpc_slice got = {NULL, 0};
    size_t all_but_one = stream.len - 1;
    assert_int_equal(all_but_one, BOTH);
    assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(stream.ptr, all_but_one), NULL));
    assert_int_equal(jrpc_decoder_next(&decoder, &got, NULL), JRPC_DECODED_DONE);
    assert_int_equal(got.len, FIRST);
    assert_int_equal(jrpc_decoder_next(&decoder, &got, NULL), JRPC_DECODED_MORE);
    assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(stream.ptr + all_but_one, 1), NULL));
    assert_int_equal(jrpc_decoder_next(&decoder, &got, NULL), JRPC_DECODED_DONE);
    assert_true(jrpc_slice_equal(got, jrpc_slice_of(payload, SECOND)));
    jrpc_decoder_done(&decoder);
    jrpc_buffer_done(&stream);
}

// Bytes that wait may be as many as a message and a head: with one more nothing is taken.
static void exactly_so_much_may_wait(void **state)
{
    (void)state;
    enum { LIMIT = 100 };
    const size_t most = LIMIT + JRPC_LIMIT_HEADER_BYTES;
    char *bytes = calloc(most, 1);
    assert_non_null(bytes);
    jrpc_decoder decoder;
    init(&decoder, JRPC_FRAMING_LINE, LIMIT);
    assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(bytes, most), NULL));
    assert_true(jrpc_decoder_feed(&decoder, jrpc_slice_of(bytes, 1), NULL));
    assert_false(jrpc_decoder_feed(&decoder, jrpc_slice_of(bytes, 1), NULL));
    jrpc_decoder_done(&decoder);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_byte_is_looked_at_twice),
        cmocka_unit_test(a_flood_without_a_frame_never_grows),
        cmocka_unit_test(a_feed_is_refused_while_too_much_waits),
        cmocka_unit_test(exactly_so_much_may_wait),
        cmocka_unit_test(a_head_without_an_end_is_refused_at_its_limit),
        cmocka_unit_test(no_header_is_cut_in_two),
        cmocka_unit_test(bytes_that_did_not_fit_in_memory_may_come_again),
        cmocka_unit_test(a_zeroed_decoder_may_be_ended),
        cmocka_unit_test(a_small_piece_may_follow_a_large_one),
        cmocka_unit_test(many_small_messages_in_one_chunk_all_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
