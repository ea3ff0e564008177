// What the four framings share: private to this room.
//
// A framing is `next`, `end` and `encode`. `next` looks at input[scanned..len), and says where a
// message lies by moving `taken` after it; `end` says what the pending bytes are worth once no
// more will come.
#ifndef JRPC_WIRE_DECODER_H
#define JRPC_WIRE_DECODER_H

#include "reference/wire/framing.h"

// The bytes that are not used up.
static inline jrpc_slice jrpc_decoder_pending(const jrpc_decoder *decoder)
{
    if (decoder->input.len == decoder->taken) {
        return (jrpc_slice){NULL, 0};
    }
    return (jrpc_slice){decoder->input.ptr + decoder->taken, decoder->input.len - decoder->taken};
}

// Hands out the first `payload_len` pending bytes as a message and uses up `frame_len` of them.
jrpc_decoded jrpc_decoder_give(jrpc_decoder *decoder, size_t payload_len, size_t frame_len,
                               jrpc_slice *ret_payload);
// The same for bytes that are no message: `len` of them are shown and used up.
jrpc_decoded jrpc_decoder_refuse(jrpc_decoder *decoder, size_t len, jrpc_slice *ret_payload,
                                 jrpc_error *error, jrpc_error_code code, const char *why);
// Throws away what is left of a frame over max_message. False while more of it has to come.
bool jrpc_decoder_discard(jrpc_decoder *decoder);
// The payload of a framing that announces its length: decoder->body bytes from the first pending
// one. MORE until they are there; BAD with LIMIT, and the rest to be discarded, if they are too
// many.
jrpc_decoded jrpc_decoder_counted(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                  jrpc_error *error);

jrpc_decoded jrpc_line_next(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);
jrpc_decoded jrpc_line_end(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);
bool jrpc_line_encode(jrpc_slice payload, jrpc_buffer *out);

jrpc_decoded jrpc_content_length_next(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                      jrpc_error *error);
jrpc_decoded jrpc_content_length_end(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                     jrpc_error *error);
bool jrpc_content_length_encode(jrpc_slice payload, jrpc_buffer *out);

jrpc_decoded jrpc_concatenated_next(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                    jrpc_error *error);
jrpc_decoded jrpc_concatenated_end(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                   jrpc_error *error);
bool jrpc_concatenated_encode(jrpc_slice payload, jrpc_buffer *out);
// Whether the payload is one balanced value; INVALID with the reason if not.
bool jrpc_concatenated_carries(jrpc_slice payload, jrpc_error *error);

jrpc_decoded jrpc_length32_next(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);
jrpc_decoded jrpc_length32_end(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);
bool jrpc_length32_encode(jrpc_slice payload, jrpc_buffer *out);

#endif
