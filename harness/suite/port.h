// Free TCP ports of the loopback address, for servers that the suite starts.
#ifndef JCK_SUITE_PORT_H
#define JCK_SUITE_PORT_H

#include "reference/base/arena.h"
#include "reference/base/error.h"

// A port that nobody listens on, in decimal, in `arena`: one that comes after the port `after`, or
// any (NULL). No other process of the suite picks it as long as the descriptor *ret_claim (owned by
// the caller) is open; 0: the system has no such claims. NULL with SYSTEM or MEMORY.
const char *jck_port_take(jrpc_arena *arena, const char *after, int *ret_claim, jrpc_error *error);

#endif
