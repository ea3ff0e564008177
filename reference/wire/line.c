// One message a line. A JSON text written without insignificant line feeds never holds one, because
// a line feed inside a string is escaped (RFC 8259, section 7).
#include "reference/wire/decoder.h"

enum { STATE_LINE, STATE_SKIP };

static const char too_long[] = "the line is longer than a message may be";

// The line feed in input[from..to), as an index; `to` if there is none.
static size_t find_line_feed(const jrpc_decoder *decoder, size_t from, size_t to)
{
    if (from >= to) {
        return to;
    }
    const char *found = memchr(decoder->input.ptr + from, '\n', to - from);
    return found == NULL ? to : (size_t)(found - decoder->input.ptr);
}

// Throws away the rest of a line that was refused. True once its line feed is gone.
static bool skip_line(jrpc_decoder *decoder)
{
    size_t len = decoder->input.len;
    size_t at = find_line_feed(decoder, decoder->scanned, len);
    decoder->taken = decoder->scanned = at < len ? at + 1 : len;
    if (at == len) {
        return false;
    }
    decoder->state = STATE_LINE;
    return true;
}

jrpc_decoded jrpc_line_next(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    if (decoder->state == STATE_SKIP && !skip_line(decoder)) {
        return JRPC_DECODED_MORE;
    }
    // A line that fits shows its line feed within max_message bytes and "\r\n".
    jrpc_slice pending = jrpc_decoder_pending(decoder);
    bool window_full =
        pending.len > decoder->max_message && pending.len - decoder->max_message >= 2;
    size_t to = decoder->taken + (window_full ? decoder->max_message + 2 : pending.len);
    size_t at = find_line_feed(decoder, decoder->scanned, to);
    if (at == to && !window_full) {
        decoder->scanned = to;
        return JRPC_DECODED_MORE;
    }
    size_t len = at - decoder->taken;
    size_t payload_len = len != 0 && decoder->input.ptr[at - 1] == '\r' ? len - 1 : len;
    if (payload_len <= decoder->max_message) {
        decoder->scanned = at + 1;
        return jrpc_decoder_give(decoder, payload_len, len + 1, ret_payload);
    }
    // What was looked at after the shown bytes is looked at again by the skip: at most two bytes.
    decoder->state = STATE_SKIP;
    decoder->scanned = decoder->taken;
    return jrpc_decoder_refuse(decoder, decoder->max_message, ret_payload, error, JRPC_ERROR_LIMIT,
                               too_long);
}

jrpc_decoded jrpc_line_end(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    jrpc_slice pending = jrpc_decoder_pending(decoder);
    if (pending.len == 0) {
        return JRPC_DECODED_MORE;
    }
    if (pending.len <= decoder->max_message) {
        return jrpc_decoder_give(decoder, pending.len, pending.len, ret_payload);
    }
    (void)jrpc_decoder_refuse(decoder, decoder->max_message, ret_payload, error, JRPC_ERROR_LIMIT,
                              too_long);
    decoder->taken = decoder->scanned = decoder->input.len;
    return JRPC_DECODED_BAD;
}

bool jrpc_line_encode(jrpc_slice payload, jrpc_buffer *out)
{
    return jrpc_buffer_append(out, payload) && jrpc_buffer_append_char(out, '\n');
}
