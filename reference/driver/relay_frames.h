// The frames of a WebSocket connection that pass the relay, one after the other.
#ifndef JRPC_DRIVER_RELAY_FRAMES_H
#define JRPC_DRIVER_RELAY_FRAMES_H

#include "reference/base/buffer.h"
#include "reference/wire/frame_head.h"

// One frame, which faults may change. It is passed on in as few bytes as possible.
typedef struct jrpc_relay_frame {
    unsigned first; // the first byte: final, reserved bits, opcode
    bool masked;
    char mask[JRPC_FRAME_MASK_BYTES];
    char *payload; // without the mask
    size_t len;
} jrpc_relay_frame;

static inline unsigned jrpc_relay_opcode(const jrpc_relay_frame *frame)
{
    return frame->first & JRPC_FRAME_OPCODE;
}

// Takes the first frame off `in`, if it is complete. Its payload is borrowed until the next call.
bool jrpc_relay_take_frame(jrpc_buffer *in, jrpc_buffer *payload, jrpc_relay_frame *ret_frame);
// Appends a frame. False without memory.
bool jrpc_relay_put_frame(jrpc_buffer *out, const jrpc_relay_frame *frame);

#endif
