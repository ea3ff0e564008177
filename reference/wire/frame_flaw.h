// What is wrong with a WebSocket frame that a server sent (RFC 6455, section 5), judging by its
// head. No I/O.
#ifndef JRPC_WIRE_FRAME_FLAW_H
#define JRPC_WIRE_FRAME_FLAW_H

#include "reference/base/slice.h"

#include <stdbool.h>

// What is known about the frames so far. Zeroed: there were none.
typedef struct jrpc_frame_order {
    bool in_fragments; // a message has begun and is not whole
    bool closed;       // a Close was among them
} jrpc_frame_order;

// Says in words what is wrong with the frame that has this complete head; NULL: nothing. Updates
// *order.
const char *jrpc_frame_flaw(jrpc_frame_order *order, jrpc_slice head);

#endif
