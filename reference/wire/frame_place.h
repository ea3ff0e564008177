// Where a stream of WebSocket frames stands: between two frames, or within one (RFC 6455, section
// 5.2). No I/O.
#ifndef JRPC_WIRE_FRAME_PLACE_H
#define JRPC_WIRE_FRAME_PLACE_H

#include "reference/wire/frame_head.h"

// Zeroed: at the beginning.
typedef struct jrpc_frame_place {
    char head[JRPC_FRAME_HEAD_MAX]; // of the current frame, as far as it has come
    size_t head_len;
    uint64_t left; // bytes of its payload that are still to come
} jrpc_frame_place;

// Whether a frame has begun and is not complete.
bool jrpc_frame_is_begun(const jrpc_frame_place *place);
// Goes on to the end of the current frame, or of `bytes` (not empty) if that comes first. Returns
// how many of them that took.
size_t jrpc_frame_advance(jrpc_frame_place *place, jrpc_slice bytes);

#endif
