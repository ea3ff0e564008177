// Reads a descriptor on a thread of its own, so that whoever writes to it never blocks, and keeps
// the last bytes.
#ifndef JRPC_NET_DRAIN_H
#define JRPC_NET_DRAIN_H

#include "reference/base/buffer.h"
#include "reference/base/clock.h"
#include "reference/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jrpc_drain jrpc_drain;

// Starts draining a non-blocking descriptor, which it takes (also on failure). NULL with MEMORY or
// SYSTEM. Owned: free with jrpc_drain_free.
jrpc_drain *jrpc_drain_start(int descriptor, jrpc_error *error);
// Reads what is there at this moment and appends the last JRPC_LIMIT_STDERR_TAIL_BYTES of all that
// came to `out` (fewer if `out` takes fewer).
void jrpc_drain_tail(jrpc_drain *drain, jrpc_buffer *out);
// Waits until `text` (1 to JRPC_LIMIT_STDERR_TAIL_BYTES bytes) was seen. False with TIMEOUT, CLOSED
// (the end of the stream came first), INTERRUPTED (`interrupt_fd`, -1 for none, became readable) or
// USAGE (the length). One waiter at a time.
bool jrpc_drain_wait(jrpc_drain *drain, jrpc_slice text, const jrpc_clock *clock,
                     int64_t deadline_us, int interrupt_fd, jrpc_error *error);
// Ends the thread, also when writers are left, and frees. Accepts NULL.
void jrpc_drain_free(jrpc_drain *drain);

#endif
