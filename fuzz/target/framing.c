// The same bytes give the same messages however they are split, the ones that the model sees, none
// longer than allowed, also after another stream has ended anywhere; what a framing encodes it
// decodes again.
#include "fuzz/fuzz.h"
#include "fuzz/model/frames.h"
#include "reference/base/limits.h"

enum { ROOM = 4 << 20, REPEATED = 0x55, PADDED = 0x56 };

// How often a decoder found flaws in frames that it can read nevertheless.
typedef struct flaws {
    size_t bare;      // heads with a line feed alone
    size_t uncounted; // line breaks after a body that its length does not count
    size_t bad;       // refused frames; an uncounted line break causes one
} flaws;

static flaws flawed_frames; // of the decoder that ran last

static void note(const jrpc_decoder *decoder, jrpc_decoded decoded)
{
    bool flawed = decoded == JRPC_DECODED_DONE && decoder->flaw != NULL;
    bool bare = flawed && strstr(decoder->flaw, "line feed alone") != NULL;
    FUZZ_REQUIRE(!flawed || decoder->framing == JRPC_FRAMING_CONTENT_LENGTH);
    flawed_frames.bare += bare ? 1 : 0;
    flawed_frames.uncounted += flawed && !bare ? 1 : 0;
    flawed_frames.bad += decoded == JRPC_DECODED_BAD ? 1 : 0;
}

static void take(jrpc_decoder *decoder, bool at_end, tree_pool *pool, frames *list)
{
    // Outlives the call: filling it with zeros took as long as a byte that is fed alone.
    static jrpc_error error;
    for (;;) {
        jrpc_slice payload = {NULL, 0};
        error.code = JRPC_OK;
        jrpc_decoded decoded = at_end ? jrpc_decoder_end(decoder, &payload, &error)
                                      : jrpc_decoder_next(decoder, &payload, &error);
        if (decoded == JRPC_DECODED_MORE) {
            return;
        }
        FUZZ_REQUIRE(decoded == JRPC_DECODED_BAD || payload.len <= decoder->max_message);
        FUZZ_REQUIRE((decoded == JRPC_DECODED_BAD) == (error.code != JRPC_OK));
        note(decoder, decoded);
        frames_add(list, pool, decoded == JRPC_DECODED_DONE, payload, error.code);
    }
}

static void decode_with(jrpc_decoder *decoder, jrpc_slice stream, size_t most, jrpc_random *random,
                        tree_pool *pool, frames *list)
{
    frames_init(list);
    flawed_frames = (flaws){.bad = 0};
    for (size_t at = 0; at < stream.len;) {
        size_t len = 1 + (size_t)jrpc_random_below(random, most);
        len = len < stream.len - at ? len : stream.len - at;
        FUZZ_REQUIRE(jrpc_decoder_feed(decoder, jrpc_slice_of(stream.ptr + at, len), NULL));
        take(decoder, false, pool, list);
        at += len;
    }
    take(decoder, true, pool, list);
}

// Decodes a stream fed in pieces of 1 to `most` bytes.
static void decode(jrpc_framing framing, jrpc_slice stream, size_t max_message, size_t most,
                   jrpc_random *random, tree_pool *pool, frames *list)
{
    jrpc_decoder decoder;
    jrpc_decoder_init(&decoder, framing, max_message, jrpc_allocator_heap());
    decode_with(&decoder, stream, most, random, pool, list);
    jrpc_decoder_done(&decoder);
}

static void require_frame(const frame *a, const frame *b)
{
    FUZZ_REQUIRE(a->good == b->good && a->code == b->code);
    FUZZ_REQUIRE(jrpc_slice_equal(a->bytes, b->bytes));
}

static void require_same(const frames *a, const frames *b)
{
    FUZZ_REQUIRE(a->count == b->count);
    for (const frame *x = a->first, *y = b->first; x != NULL; x = x->next, y = y->next) {
        require_frame(x, y);
    }
}

static void require_model(const frames *decoded, const frames *expected, bool exact)
{
    FUZZ_REQUIRE(exact ? decoded->count == expected->count : decoded->count >= expected->count);
    const frame *x = decoded->first;
    for (const frame *y = expected->first; y != NULL; x = x->next, y = y->next) {
        require_frame(x, y);
    }
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

// There are at most as many flawed heads as line feeds without a carriage return, and at most as
// many uncounted line breaks as refused frames. If the stream is a single frame, a bare line feed
// in its head must be reported.
static void require_flaws(jrpc_slice stream, const frames *list)
{
    size_t bare = 0;
    size_t in_head = 0;
    size_t body = list->count == 1 && list->first->good ? list->first->bytes.len : stream.len;
    for (size_t i = 0; i < stream.len; i++) {
        if (stream.ptr[i] == '\n' && (i == 0 || stream.ptr[i - 1] != '\r')) {
            bare++;
            in_head += i < stream.len - body ? 1 : 0;
        }
    }
    FUZZ_REQUIRE(flawed_frames.bare <= bare && flawed_frames.uncounted <= flawed_frames.bad);
    FUZZ_REQUIRE(in_head == 0 || flawed_frames.bare == 1);
}

// A decoder that came to the end of a stream, which may have been cut off anywhere, is as good as
// new.
static void require_new(jrpc_framing framing, jrpc_slice stream, size_t max_message, size_t cut,
                        jrpc_random *random, tree_pool *pool, const frames *expected)
{
    jrpc_decoder decoder;
    frames list;
    jrpc_decoder_init(&decoder, framing, max_message, jrpc_allocator_heap());
    decode_with(&decoder, jrpc_slice_of(stream.ptr, cut), SIZE_MAX / 2, random, pool, &list);
    decode_with(&decoder, stream, SIZE_MAX / 2, random, pool, &list);
    require_same(expected, &list);
    jrpc_decoder_done(&decoder);
}

// Whatever was decoded goes through every framing that carries it, all of it in one stream.
static void require_round_trip(const frames *list, jrpc_framing framing, jrpc_random *random,
                               tree_pool *pool)
{
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), ROOM);
    frames sent;
    frames_init(&sent);
    for (const frame *f = list->first; f != NULL; f = f->next) {
        bool carriage_return = f->bytes.len != 0 && f->bytes.ptr[f->bytes.len - 1] == '\r';
        if (!jrpc_framing_carries(framing, f->bytes, NULL) ||
            (framing == JRPC_FRAMING_LINE && carriage_return)) {
            continue;
        }
        jrpc_slice payload = f->bytes;
        // Concatenated: white space around a value is none of it.
        while (framing == JRPC_FRAMING_CONCATENATED && is_space(*payload.ptr)) {
            payload = jrpc_slice_from(payload, 1);
        }
        while (framing == JRPC_FRAMING_CONCATENATED && is_space(payload.ptr[payload.len - 1])) {
            payload.len--;
        }
        FUZZ_REQUIRE(jrpc_framing_encode(framing, f->bytes, &stream));
        frames_add(&sent, pool, true, payload, JRPC_OK);
    }
    frames received;
    decode(framing, jrpc_buffer_slice(&stream), ROOM, 64, random, pool, &received);
    require_same(&sent, &received);
    jrpc_buffer_done(&stream);
}

// jrpc_framing_carries is true if and only if the text comes back unchanged, as a single message.
// The line framing loses a carriage return at the end.
static void require_carried(jrpc_framing framing, jrpc_slice text, jrpc_random *random,
                            tree_pool *pool)
{
    jrpc_buffer stream;
    frames received;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_framing_encode(framing, text, &stream));
    decode(framing, jrpc_buffer_slice(&stream), ROOM, SIZE_MAX / 2, random, pool, &received);
    while (framing == JRPC_FRAMING_CONCATENATED && text.len != 0 && is_space(*text.ptr)) {
        text = jrpc_slice_from(text, 1);
    }
    while (framing == JRPC_FRAMING_CONCATENATED && text.len != 0 &&
           is_space(text.ptr[text.len - 1])) {
        text.len--;
    }
    bool alone = received.count == 1 && received.first->good;
    bool cut = framing == JRPC_FRAMING_LINE && text.len != 0 && text.ptr[text.len - 1] == '\r';
    FUZZ_REQUIRE(cut || jrpc_framing_carries(framing, text, NULL) ==
                            (alone && jrpc_slice_equal(received.first->bytes, text)));
    jrpc_buffer_done(&stream);
}

// Bytes that nobody decodes are taken up to a limit, and memory that runs out is reported; either
// way what was taken before stays.
static void require_limits(jrpc_framing framing, jrpc_slice stream, size_t successes, int times,
                           tree_pool *pool)
{
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, successes);
    jrpc_decoder decoder;
    jrpc_decoder_init(&decoder, framing, successes % 2 == 0 ? 0 : SIZE_MAX, &failing.allocator);
    jrpc_error error = {.code = JRPC_OK};
    size_t fed = 0;
    for (int i = 0; i < times && error.code == JRPC_OK; i++) {
        bool taken = jrpc_decoder_feed(&decoder, stream, &error);
        FUZZ_REQUIRE(taken == (error.code == JRPC_OK));
        fed += taken ? stream.len : 0;
    }
    FUZZ_REQUIRE(error.code == JRPC_OK || error.code == JRPC_ERROR_LIMIT ||
                 failing.count > successes);
    FUZZ_REQUIRE(decoder.input.len == fed && decoder.taken == 0);
    frames list;
    frames_init(&list);
    take(&decoder, true, pool, &list);
    jrpc_decoder_done(&decoder);
}

// A payload is framed where there is room for its last byte, and not where there is less.
static void require_room(jrpc_framing framing, jrpc_slice text)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    bool framed = jrpc_framing_encode(framing, text, &out);
    size_t len = out.len;
    jrpc_buffer_done(&out);
    for (size_t less = 0; framed && less <= len; less += less < 24 ? 1 : len) {
        jrpc_buffer_init(&out, jrpc_allocator_heap(), len - less);
        FUZZ_REQUIRE(jrpc_framing_encode(framing, text, &out) == (less == 0));
        jrpc_buffer_done(&out);
    }
}

static void require_names(jrpc_framing framing, jrpc_slice text)
{
    jrpc_framing found;
    const char *name = jrpc_framing_name(framing);
    FUZZ_REQUIRE(jrpc_framing_from_name(jrpc_slice_str(name), &found) && found == framing);
    FUZZ_REQUIRE(!jrpc_framing_from_name(text, &found) ||
                 jrpc_slice_is(text, jrpc_framing_name(found)));
    // A framing that says where a message ends carries whatever its form allows.
    FUZZ_REQUIRE(!jrpc_framing_delimited(framing) || framing == JRPC_FRAMING_LINE ||
                 jrpc_framing_carries(framing, text, NULL));
    const jrpc_slice endless = {text.ptr, (size_t)UINT32_MAX + 1};
    FUZZ_REQUIRE(!jrpc_framing_carries(JRPC_FRAMING_LENGTH32, endless, NULL));
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), text.len);
    FUZZ_REQUIRE(!jrpc_framing_encode(JRPC_FRAMING_LENGTH32, endless, &out) && out.len == 0);
    jrpc_buffer_clear(&out);
    // With a header or an end after it the text is longer than the buffer may become.
    bool bare = framing == JRPC_FRAMING_CONCATENATED;
    FUZZ_REQUIRE(bare || !jrpc_framing_encode(framing, text, &out));
    jrpc_buffer_done(&out);
}

// `delta` bytes more than a head may have, two fewer to two more of them.
static size_t about_limit(unsigned choice)
{
    return JRPC_LIMIT_HEADER_BYTES + choice % 5 - 2;
}

// The text again and again, `len` bytes of it: heads and lines over the limits that no short input
// reaches.
static jrpc_slice repeated(tree_pool *pool, jrpc_slice text, size_t len)
{
    char *copy = tree_alloc(pool, len + 1);
    for (size_t i = 0; i < len && text.len != 0; i++) {
        copy[i] = text.ptr[i % text.len];
    }
    return jrpc_slice_of(copy, text.len == 0 ? 0 : len);
}

// The text after a header that makes its head `len` bytes long.
static jrpc_slice padded(tree_pool *pool, jrpc_slice text, size_t len)
{
    size_t head = 0;
    while (head < text.len &&
           !jrpc_slice_starts_with(jrpc_slice_from(text, head), JRPC_SLICE("\n\r\n"))) {
        head++;
    }
    head = head + 3 < text.len ? head + 3 : text.len;
    size_t filler = head + 5 < len ? len - head : 5;
    char *copy = tree_alloc(pool, filler + text.len);
    memset(copy, 'x', filler);
    memcpy(copy + 1, ": ", 2);
    memcpy(copy + filler - 2, "\r\n", 2);
    if (text.len != 0) {
        memcpy(copy + filler, text.ptr, text.len);
    }
    return jrpc_slice_of(copy, filler + text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    static const size_t limits[] = {1 << 16, 0, 1, 3, 16, 64, 200, 1000};
    jrpc_framing framing = (jrpc_framing)(input.options[0] & 3);
    size_t max_message = limits[input.options[0] >> 2 & 7];
    jrpc_random random;
    jrpc_random_init(&random, fuzz_input_seed(&input));
    tree_pool pool = {NULL};
    bool at_limit = input.options[2] == REPEATED && input.options[3] == PADDED;
    bool long_one = (at_limit || (input.options[2] == REPEATED && input.options[3] == REPEATED)) &&
                    fuzz_turn(&input, 0, 16); // it costs as much as twenty others
    if (long_one && at_limit) {
        input.text = padded(&pool, input.text, about_limit(input.options[4]));
    } else if (long_one) {
        size_t more = input.options[4] == 0 ? 100 : 0;
        input.text = repeated(&pool, input.text, about_limit(input.options[4]) + more);
    }
    frames whole;
    frames pieces;
    frames bytes;
    frames expected;
    bool exact;
    decode(framing, input.text, max_message, SIZE_MAX / 2, &random, &pool, &whole);
    const flaws of_whole = flawed_frames;
    if (framing == JRPC_FRAMING_CONTENT_LENGTH) {
        require_flaws(input.text, &whole);
    }
    if (fuzz_turn(&input, 0, 3)) {
        decode(framing, input.text, max_message, 1 + input.options[1] % 32u, &random, &pool,
               &pieces);
        require_same(&whole, &pieces);
        FUZZ_REQUIRE(flawed_frames.bare == of_whole.bare &&
                     flawed_frames.uncounted == of_whole.uncounted);
    }
    if (fuzz_turn(&input, 1, 3) && !long_one) {
        decode(framing, input.text, max_message, 1, &random, &pool, &bytes);
        require_same(&whole, &bytes);
    }
    frames_expected(&expected, &pool, framing, input.text, max_message, &exact);
    require_model(&whole, &expected, exact);
    if (input.options[2] != 0) {
        bool often = input.options[3] == REPEATED && fuzz_turn(&input, 0, 16);
        int times = often ? 200 : 3;
        require_limits(framing, input.text, input.options[2] - 1u, times, &pool);
    }
    if (fuzz_turn(&input, 2, 3) && !long_one) {
        require_names(framing, input.text);
        require_carried(framing, input.text, &random, &pool);
        require_room(framing, input.text);
        require_new(framing, input.text, max_message, input.text.len == 0 ? 0 : input.text.len - 1,
                    &random, &pool, &whole);
        require_round_trip(&whole, (jrpc_framing)(input.options[0] >> 5 & 3), &random, &pool);
    }
    tree_pool_done(&pool);
    return 0;
}
