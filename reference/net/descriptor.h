// Descriptors and poll: the few calls that every file of this room needs, with EINTR in one place.
#ifndef JRPC_NET_DESCRIPTOR_H
#define JRPC_NET_DESCRIPTOR_H

#include "reference/base/clock.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Makes a descriptor non-blocking. False with errno.
bool jrpc_descriptor_unblock(int descriptor);
// Closes a descriptor and stores -1 in its place. Accepts -1; keeps errno.
void jrpc_descriptor_close(int *descriptor);
// Lets closing a TCP socket reset the connection. Accepts -1 and what is not a socket.
void jrpc_descriptor_reset_when_closed(int descriptor);
// Polls until a descriptor is ready or the deadline (on `clock`) has passed; interruptions by
// signals are waited through. The number of ready descriptors, 0 at the deadline, -1 with errno.
int jrpc_descriptor_poll(struct pollfd *entries, size_t count, const jrpc_clock *clock,
                         int64_t deadline_us);

#endif
