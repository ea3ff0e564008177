// What the head of a frame of WebSocket breaks (RFC 6455, section 5), where a server sent it. No
// I/O.
#ifndef JRPC_WIRE_FRAME_FLAW_H
#define JRPC_WIRE_FRAME_FLAW_H

#include "reference/base/slice.h"

#include <stdbool.h>

// The frames before the one that is looked at. Zeroed: none.
typedef struct jrpc_frame_order {
    bool in_fragments; // a message has begun and is not whole
    bool closed;       // a Close was among them
} jrpc_frame_order;

// What the frame whose complete head this is breaks, in words; NULL: nothing. Takes note of the
// frame in *order.
const char *jrpc_frame_flaw(jrpc_frame_order *order, jrpc_slice head);

#endif
