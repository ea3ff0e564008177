// Makes the frames of a peer readable that break the rules (RFC 6455, section 5.2): removes masks
// and reserved bits, and shortens length fields that are too long. Notes what is wrong with the
// frames, and keeps the body of a Close. No I/O.
#ifndef JRPC_WIRE_UNMASK_H
#define JRPC_WIRE_UNMASK_H

#include "reference/base/buffer.h"
#include "reference/wire/frame_flaw.h"
#include "reference/wire/frame_head.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JRPC_UNMASK_CLOSE = 125, // bytes of the longest body of a Close
};

// Where in the stream it stands. Zeroed: at the beginning.
typedef struct jrpc_unmask {
    char head[JRPC_FRAME_HEAD_MAX]; // of the frame that is read
    size_t head_len;
    uint64_t left;                    // bytes of its payload that are still to come
    size_t turn;                      // … and which byte of the mask is next
    char mask[JRPC_FRAME_MASK_BYTES]; // zeros where there is none
    jrpc_frame_order order;           // the frames that have come
    bool of_client;                   // they come from a client
    const char *flaw;             // the first thing that one of them broke, in words; NULL: nothing
    bool closing;                 // the frame that is read, or was read last, is a Close
    char body[JRPC_UNMASK_CLOSE]; // … and what there is of its body
    size_t body_len;
} jrpc_unmask;

// Appends the bytes to `out` as they would be without masks, and takes them off *bytes. Stops
// before a Close and after it, so that what a reader of `out` makes of the Close is known to be
// about it. False without memory.
bool jrpc_unmask_feed(jrpc_unmask *self, jrpc_slice *bytes, jrpc_buffer *out);
// Whether the frame that was read last is a Close, and is complete.
bool jrpc_unmask_at_close(const jrpc_unmask *self);

#endif
