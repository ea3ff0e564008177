#include "reference/driver/relay_frames.h"

#include <string.h>

// Applies a mask, or removes it.
static void mask(char *bytes, size_t len, const char key[JRPC_FRAME_MASK_BYTES])
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)((unsigned char)bytes[i] ^ (unsigned char)key[i % JRPC_FRAME_MASK_BYTES]);
    }
}

bool jrpc_relay_take_frame(jrpc_buffer *in, jrpc_buffer *payload, jrpc_relay_frame *ret_frame)
{
    jrpc_slice bytes = jrpc_buffer_slice(in);
    if (bytes.len < 2 || bytes.len < jrpc_frame_head_length(bytes)) {
        return false;
    }
    size_t head = jrpc_frame_head_length(bytes);
    uint64_t len = jrpc_frame_payload_length(bytes);
    if (bytes.len - head < len) {
        return false;
    }
    *ret_frame = (jrpc_relay_frame){
        .first = (unsigned char)bytes.ptr[0],
        .masked = ((unsigned char)bytes.ptr[1] & JRPC_FRAME_MASKED) != 0,
        .len = (size_t)len,
    };
    jrpc_buffer_clear(payload);
    (void)jrpc_buffer_append(payload, jrpc_slice_of(bytes.ptr + head, ret_frame->len));
    ret_frame->payload = payload->ptr;
    if (ret_frame->masked) {
        memcpy(ret_frame->mask, bytes.ptr + head - JRPC_FRAME_MASK_BYTES, JRPC_FRAME_MASK_BYTES);
        mask(ret_frame->payload, ret_frame->len, ret_frame->mask);
    }
    jrpc_buffer_consume(in, head + ret_frame->len);
    return true;
}

bool jrpc_relay_put_frame(jrpc_buffer *out, const jrpc_relay_frame *frame)
{
    char head[JRPC_FRAME_PLAIN_MAX];
    size_t len = jrpc_frame_head_write(head, frame->first, frame->masked, frame->len);
    bool put = jrpc_buffer_append(out, jrpc_slice_of(head, len)) &&
               (!frame->masked ||
                jrpc_buffer_append(out, jrpc_slice_of(frame->mask, JRPC_FRAME_MASK_BYTES)));
    size_t from = out->len;
    put = put &&
          (frame->len == 0 || jrpc_buffer_append(out, jrpc_slice_of(frame->payload, frame->len)));
    if (put && frame->masked) {
        mask(out->ptr + from, frame->len, frame->mask);
    }
    return put;
}
