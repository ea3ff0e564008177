// Takes the masks off the frames of a stream (RFC 6455, section 5.3), so that a peer that masks
// where it must not can be understood. No I/O. Private to this room.
#ifndef JRPC_WIRE_UNMASK_H
#define JRPC_WIRE_UNMASK_H

#include "reference/base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JRPC_UNMASK_HEAD = 14 }; // bytes of the longest head of a frame

// Where in the stream it stands. Zeroed: at the beginning.
typedef struct jrpc_unmask {
    char head[JRPC_UNMASK_HEAD]; // of the frame that is read
    size_t head_len;
    uint64_t left; // bytes of its payload that are still to come
    size_t turn;   // … and which byte of the mask is next
    char mask[4];  // zeros where there is none
    bool seen;     // a masked frame has come
} jrpc_unmask;

// Appends the bytes to `out` as they would be without masks. False without memory.
bool jrpc_unmask_feed(jrpc_unmask *self, jrpc_slice bytes, jrpc_buffer *out);

#endif
