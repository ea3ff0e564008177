// What is wrong with a WebSocket frame that a peer sent (RFC 6455, section 5), judging by its
// head. No I/O.
#ifndef JRPC_WIRE_FRAME_FLAW_H
#define JRPC_WIRE_FRAME_FLAW_H

#include "reference/base/slice.h"

#include <stdbool.h>

// What is known about the frames so far. Zeroed: there were none.
typedef struct jrpc_frame_order {
    bool in_fragments; // a message has begun and is not whole
    bool closed;       // a Close was among them
    bool masked;       // a client: there was a frame with a payload,
    char mask[4];      // … and the last one had this mask
} jrpc_frame_order;

// Says in words what is wrong with the frame that has this complete head; NULL: nothing. Updates
// *order.
const char *jrpc_frame_flaw(jrpc_frame_order *order, jrpc_slice head);
// The same of a frame that a client sent, with its mask.
const char *jrpc_frame_flaw_of_client(jrpc_frame_order *order, jrpc_slice head);

#endif
