// A listening socket that serves each connection on a thread of its own.
#ifndef JRPC_NET_LISTENER_H
#define JRPC_NET_LISTENER_H

#include "reference/base/error.h"
#include "reference/wire/framing.h"

typedef struct jrpc_listener jrpc_listener;

// What serves a connection: called on the connection's thread with its descriptors (the same for
// sockets); must return when the other side is done. It does not close them.
typedef void (*jrpc_serve)(void *context, int input, int output);

// Listens on host:port ("0" chooses a free port). NULL with SYSTEM or USAGE; owned.
jrpc_listener *jrpc_listener_tcp(const char *host, const char *port, jrpc_error *error);
// Listens on a Unix socket path (a stale socket file is replaced, another file is not). Owned.
jrpc_listener *jrpc_listener_unix(const char *path, jrpc_error *error);
// Takes the listening socket out, for a server that accepts by itself; close it. The listener keeps
// its address and must not be run.
int jrpc_listener_take_socket(jrpc_listener *listener);
// The address as a target: "tcp://127.0.0.1:41234" or "unix:/path". Borrowed.
const char *jrpc_listener_address(const jrpc_listener *listener);
// Accepts and serves until jrpc_listener_stop; at most `most` connections at once (and never more
// than JRPC_LIMIT_CONNECTIONS), further ones wait. Blocks.
void jrpc_listener_run(jrpc_listener *listener, unsigned most, jrpc_serve serve, void *context);
// Ends jrpc_listener_run; open connections are shut down and their threads joined.
// Async-signal-safe.
void jrpc_listener_stop(jrpc_listener *listener);
// Frees; the socket file is removed. Accepts NULL.
void jrpc_listener_free(jrpc_listener *listener);

#endif
