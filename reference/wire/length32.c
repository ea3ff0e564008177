// A 32-bit big-endian length and that many bytes.
#include "reference/wire/decoder.h"

#include <stdint.h>

enum { STATE_LENGTH, STATE_BODY, LENGTH_BYTES = 4 };

static size_t read_length(const char *bytes)
{
    uint32_t length = 0;
    for (int i = 0; i < LENGTH_BYTES; i++) {
        length = length << 8 | (unsigned char)bytes[i];
    }
    return length;
}

jrpc_decoded jrpc_length32_next(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    if (!jrpc_decoder_discard(decoder)) {
        return JRPC_DECODED_MORE;
    }
    if (decoder->state == STATE_LENGTH) {
        jrpc_slice pending = jrpc_decoder_pending(decoder);
        if (pending.len < LENGTH_BYTES) {
            decoder->scanned = decoder->input.len;
            return JRPC_DECODED_MORE;
        }
        decoder->body = read_length(pending.ptr);
        decoder->taken += LENGTH_BYTES;
        decoder->scanned = decoder->taken;
        decoder->state = STATE_BODY;
    }
    return jrpc_decoder_counted(decoder, ret_payload, error);
}

jrpc_decoded jrpc_length32_end(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    size_t pending = jrpc_decoder_pending(decoder).len;
    if (pending == 0 && decoder->state == STATE_LENGTH) {
        return JRPC_DECODED_MORE;
    }
    decoder->state = STATE_LENGTH;
    return jrpc_decoder_refuse(decoder, pending, ret_payload, error, JRPC_ERROR_SYNTAX,
                               "the stream ended inside a frame");
}

bool jrpc_length32_encode(jrpc_slice payload, jrpc_buffer *out)
{
    if (payload.len > UINT32_MAX) {
        out->failed = true;
        return false;
    }
    char length[LENGTH_BYTES];
    for (int i = 0; i < LENGTH_BYTES; i++) {
        length[i] = (char)(unsigned char)(payload.len >> (8 * (LENGTH_BYTES - 1 - i)) & 0xff);
    }
    return jrpc_buffer_append(out, (jrpc_slice){length, LENGTH_BYTES}) &&
           jrpc_buffer_append(out, payload);
}
