#include "reference/wire/framing.h"

#include "reference/base/checked.h"
#include "reference/base/limits.h"
#include "reference/wire/decoder.h"

#include <assert.h>
#include <stdint.h>

typedef jrpc_decoded step(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);

static const struct {
    const char *name;
    bool delimited;
    bool (*encode)(jrpc_slice payload, jrpc_buffer *out);
    step *next;
    step *end;
} framings[] = {
    [JRPC_FRAMING_LINE] = {"line", true, jrpc_line_encode, jrpc_line_next, jrpc_line_end},
    [JRPC_FRAMING_CONTENT_LENGTH] = {"content-length", true, jrpc_content_length_encode,
                                     jrpc_content_length_next, jrpc_content_length_end},
    [JRPC_FRAMING_CONCATENATED] = {"concatenated", false, jrpc_concatenated_encode,
                                   jrpc_concatenated_next, jrpc_concatenated_end},
    [JRPC_FRAMING_LENGTH32] = {"length32", true, jrpc_length32_encode, jrpc_length32_next,
                               jrpc_length32_end},
};

enum { FRAMING_COUNT = sizeof framings / sizeof framings[0] };

const char *jrpc_framing_name(jrpc_framing framing)
{
    return framings[framing].name;
}

bool jrpc_framing_from_name(jrpc_slice name, jrpc_framing *ret_framing)
{
    for (unsigned i = 0; i < FRAMING_COUNT; i++) {
        if (jrpc_slice_is(name, framings[i].name)) {
            *ret_framing = (jrpc_framing)i;
            return true;
        }
    }
    return false;
}

bool jrpc_framing_carries(jrpc_framing framing, jrpc_slice payload, jrpc_error *error)
{
    switch (framing) {
    case JRPC_FRAMING_LINE:
        if (payload.len != 0 && memchr(payload.ptr, '\n', payload.len) != NULL) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "a line feed would end the message on the line framing");
        }
        return true;
    case JRPC_FRAMING_CONTENT_LENGTH:
        return true;
    case JRPC_FRAMING_CONCATENATED:
        return jrpc_concatenated_carries(payload, error);
    case JRPC_FRAMING_LENGTH32:
        if (payload.len > UINT32_MAX) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "the message is longer than 32 bits can say");
        }
        return true;
    }
    return false;
}

bool jrpc_framing_delimited(jrpc_framing framing)
{
    return framings[framing].delimited;
}

bool jrpc_framing_encode(jrpc_framing framing, jrpc_slice payload, jrpc_buffer *out)
{
    return framings[framing].encode(payload, out);
}

void jrpc_decoder_init(jrpc_decoder *decoder, jrpc_framing framing, size_t max_message,
                       const jrpc_allocator *allocator)
{
    *decoder = (jrpc_decoder){.framing = framing, .max_message = max_message};
    jrpc_buffer_init(&decoder->input, allocator, 0);
}

void jrpc_decoder_done(jrpc_decoder *decoder)
{
    jrpc_buffer_done(&decoder->input);
    *decoder = (jrpc_decoder){.framing = decoder->framing};
}

static void drop_taken(jrpc_decoder *decoder)
{
    size_t taken = decoder->taken;
    assert(taken <= decoder->scanned);
    assert(decoder->scanned <= decoder->input.len);
    jrpc_buffer_consume(&decoder->input, taken);
    decoder->scanned -= taken;
    decoder->mark = decoder->mark > taken ? decoder->mark - taken : 0;
    decoder->taken = 0;
}

// Moving the rest to the front costs its length; doing so only when at least as many bytes go away
// keeps the whole linear, however many small messages one chunk holds.
static void tidy(jrpc_decoder *decoder)
{
    if (decoder->taken != 0 && decoder->taken >= decoder->input.len - decoder->taken) {
        drop_taken(decoder);
    }
}

bool jrpc_decoder_feed(jrpc_decoder *decoder, jrpc_slice bytes, jrpc_error *error)
{
    tidy(decoder);
    size_t most;
    if (!jrpc_checked_add(decoder->max_message, JRPC_LIMIT_HEADER_BYTES, &most)) {
        most = SIZE_MAX;
    }
    size_t pending = decoder->input.len - decoder->taken;
    if (pending > most) {
        return jrpc_error_set(error, JRPC_ERROR_LIMIT, "%zu received bytes wait to be decoded",
                              pending);
    }
    if (!jrpc_checked_add(most, bytes.len, &decoder->input.maximum)) {
        decoder->input.maximum = SIZE_MAX;
    }
    if (decoder->input.len > most) {
        // What is pending fits, but with what was taken it may be more than that.
        drop_taken(decoder);
    }
    if (!jrpc_buffer_append(&decoder->input, bytes)) {
        decoder->input.failed = false;
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for %zu received bytes",
                              bytes.len);
    }
    return true;
}

jrpc_decoded jrpc_decoder_next(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    tidy(decoder);
    return framings[decoder->framing].next(decoder, ret_payload, error);
}

// Forgets what the stream that has ended left behind.
static void begin_anew(jrpc_decoder *decoder)
{
    const jrpc_decoder ended = *decoder;
    *decoder = (jrpc_decoder){
        .framing = ended.framing, .max_message = ended.max_message, .input = ended.input};
    jrpc_buffer_clear(&decoder->input);
}

jrpc_decoded jrpc_decoder_end(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    jrpc_decoded decoded = jrpc_decoder_next(decoder, ret_payload, error);
    if (decoded != JRPC_DECODED_MORE) {
        return decoded;
    }
    decoded = framings[decoder->framing].end(decoder, ret_payload, error);
    if (decoded == JRPC_DECODED_MORE) {
        begin_anew(decoder);
    }
    return decoded;
}
