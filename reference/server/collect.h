// `collect`: a Flow of the client, which the server pulls with requests of its own
// (draft-youssef-na-jsonrpc, section 4).
#ifndef JRPC_SERVER_COLLECT_H
#define JRPC_SERVER_COLLECT_H

#include "reference/base/slice.h"
#include "reference/rpc/router.h"

struct jrpc_connection;

enum { JRPC_COLLECT_PULLS_MAX = 1000 }; // of one Flow; a longer one is an error

// The handler: its param is the id of a Flow that the client keeps. It gives no Response yet: the
// sum of the items is sent when the Flow has ended, and an error if it fails.
bool jrpc_collect(void *context, jrpc_call *call);
// Whether a message answers the last pull on this connection; then it has been dealt with.
bool jrpc_collect_takes(struct jrpc_connection *connection, jrpc_slice text);

#endif
