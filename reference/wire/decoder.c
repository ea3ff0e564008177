#include "reference/wire/decoder.h"

jrpc_decoded jrpc_decoder_give(jrpc_decoder *decoder, size_t payload_len, size_t frame_len,
                               jrpc_slice *ret_payload)
{
    jrpc_slice pending = jrpc_decoder_pending(decoder);
    *ret_payload = (jrpc_slice){pending.ptr, payload_len};
    decoder->taken += frame_len;
    if (decoder->scanned < decoder->taken) {
        decoder->scanned = decoder->taken;
    }
    decoder->mark = decoder->taken;
    return JRPC_DECODED_DONE;
}

jrpc_decoded jrpc_decoder_refuse(jrpc_decoder *decoder, size_t len, jrpc_slice *ret_payload,
                                 jrpc_error *error, jrpc_error_code code, const char *why)
{
    (void)jrpc_decoder_give(decoder, len, len, ret_payload);
    if (error != NULL) {
        jrpc_error_clear(error);
        jrpc_error_set_sentence(error, code, why);
    }
    return JRPC_DECODED_BAD;
}

bool jrpc_decoder_discard(jrpc_decoder *decoder)
{
    if (decoder->discarding == 0) {
        return true;
    }
    size_t pending = jrpc_decoder_pending(decoder).len;
    size_t gone = decoder->discarding < pending ? decoder->discarding : pending;
    decoder->discarding -= gone;
    decoder->taken += gone;
    if (decoder->scanned < decoder->taken) {
        decoder->scanned = decoder->taken;
    }
    decoder->mark = decoder->taken;
    return decoder->discarding == 0;
}

jrpc_decoded jrpc_decoder_counted(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    size_t want = decoder->body < decoder->max_message ? decoder->body : decoder->max_message;
    if (jrpc_decoder_pending(decoder).len < want) {
        decoder->scanned = decoder->input.len;
        return JRPC_DECODED_MORE;
    }
    size_t rest = decoder->body - want;
    decoder->body = 0;
    decoder->state = 0;
    if (rest == 0) {
        decoder->scanned = decoder->taken;
        return jrpc_decoder_give(decoder, want, want, ret_payload);
    }
    decoder->discarding = rest;
    decoder->scanned = decoder->taken;
    return jrpc_decoder_refuse(decoder, want, ret_payload, error, JRPC_ERROR_LIMIT,
                               "the frame is longer than a message may be");
}
