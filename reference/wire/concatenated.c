// JSON values one after the other, with or without white space between them.
#include "reference/wire/bounds.h"
#include "reference/wire/decoder.h"

static const char no_value[] = "no JSON value begins with these bytes";

// A value, or noise, from `taken` up to `end`, an index into input.
static jrpc_decoded finish(jrpc_decoder *decoder, size_t end, bool noise, jrpc_slice *ret_payload,
                           jrpc_error *error)
{
    size_t len = end - decoder->taken;
    if (noise) {
        return jrpc_decoder_refuse(decoder, len, ret_payload, error, JRPC_ERROR_SYNTAX, no_value);
    }
    return jrpc_decoder_give(decoder, len, len, ret_payload);
}

jrpc_decoded jrpc_concatenated_next(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                    jrpc_error *error)
{
    jrpc_bounds bounds = {(jrpc_bounds_state)decoder->state, decoder->depth};
    jrpc_decoded decoded = JRPC_DECODED_MORE;
    size_t at = decoder->scanned;
    while (decoded == JRPC_DECODED_MORE && at < decoder->input.len) {
        bool noise = bounds.state == JRPC_BOUNDS_NOISE;
        jrpc_bounds before = bounds;
        jrpc_bound bound = jrpc_bounds_step(&bounds, decoder->input.ptr[at]);
        bool ends = bound == JRPC_BOUND_LAST || bound == JRPC_BOUND_BEHIND;
        size_t end = bound == JRPC_BOUND_BEHIND ? at : at + 1;
        if (bound == JRPC_BOUND_SPACE || decoder->discarding != 0) {
            decoder->taken = end;
            decoder->discarding = ends ? 0 : decoder->discarding;
        } else if (end - decoder->taken > decoder->max_message) {
            // Looked at again below `discarding`, where it may end what is thrown away.
            bounds = before;
            end = at;
            decoder->discarding = 1;
            decoded =
                jrpc_decoder_refuse(decoder, end - decoder->taken, ret_payload, error,
                                    JRPC_ERROR_LIMIT, "the value is longer than a message may be");
        } else if (ends) {
            decoded = finish(decoder, end, noise, ret_payload, error);
        }
        at = end;
    }
    decoder->scanned = at;
    decoder->state = (int)bounds.state;
    decoder->depth = bounds.depth;
    return decoded;
}

jrpc_decoded jrpc_concatenated_end(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                   jrpc_error *error)
{
    jrpc_bounds_state state = (jrpc_bounds_state)decoder->state;
    bool discarding = decoder->discarding != 0;
    decoder->state = JRPC_BOUNDS_BETWEEN;
    decoder->depth = 0;
    decoder->discarding = 0;
    size_t len = jrpc_decoder_pending(decoder).len;
    if (state == JRPC_BOUNDS_BETWEEN || discarding) {
        return JRPC_DECODED_MORE;
    }
    if (state == JRPC_BOUNDS_BARE || state == JRPC_BOUNDS_NOISE) {
        return finish(decoder, decoder->taken + len, state == JRPC_BOUNDS_NOISE, ret_payload,
                      error);
    }
    return jrpc_decoder_refuse(decoder, len, ret_payload, error, JRPC_ERROR_SYNTAX,
                               "the stream ended inside a value");
}

bool jrpc_concatenated_encode(jrpc_slice payload, jrpc_buffer *out)
{
    char last = payload.len == 0 ? '}' : payload.ptr[payload.len - 1];
    return jrpc_buffer_append(out, payload) &&
           (last == '}' || last == ']' || last == '"' || jrpc_buffer_append_char(out, '\n'));
}

bool jrpc_concatenated_carries(jrpc_slice payload, jrpc_error *error)
{
    jrpc_bounds bounds = {JRPC_BOUNDS_BETWEEN, 0};
    size_t values = 0;
    for (size_t i = 0; i < payload.len; i++) {
        jrpc_bound bound = jrpc_bounds_step(&bounds, payload.ptr[i]);
        if (bound == JRPC_BOUND_FIRST) {
            values++;
        } else if (bound == JRPC_BOUND_BEHIND) {
            i--;
        }
        if (bounds.state == JRPC_BOUNDS_NOISE) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "byte %zu begins no JSON value, so its end cannot be seen", i);
        }
        if (values > 1) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "more than one value: each would be a message of its own");
        }
    }
    if (bounds.state != JRPC_BOUNDS_BETWEEN && bounds.state != JRPC_BOUNDS_BARE) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "the value has no end that a stream without delimiters shows");
    }
    if (values == 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "there is no value");
    }
    return true;
}
