// The other side of opening: listens over any transport, and gives a peer for each connection that
// comes. Never blocks: whoever waits polls the descriptors of the acceptor and of its peers.
#ifndef JRPC_NET_ACCEPTOR_H
#define JRPC_NET_ACCEPTOR_H

#include "reference/net/peer.h"

typedef struct jrpc_acceptor jrpc_acceptor;

// Listens where the endpoint says: TCP, HTTP and WebSocket on host:port ("0" chooses a free port),
// UNIX on its path. Its framing, max_message, allocator and clock are those of the peers. Borrows
// the endpoint until jrpc_acceptor_free. NULL with SYSTEM, USAGE or MEMORY. Owned.
jrpc_acceptor *jrpc_acceptor_new(const jrpc_endpoint *endpoint, jrpc_error *error);
// Where to connect to: "tcp://127.0.0.1:41234", "unix:/path", "http://…", "ws://…". Borrowed.
const char *jrpc_acceptor_address(const jrpc_acceptor *acceptor);
// For poll: readable when a connection may have come.
int jrpc_acceptor_descriptor(const jrpc_acceptor *acceptor);
// The next connection, or NULL if none has come (*error stays clear) or it could not be taken
// (*error says). Over HTTP each request is a peer of its own: it receives the one message, and what
// is sent on it is the answer. Owned like a peer that was opened; closed before the acceptor.
jrpc_peer *jrpc_acceptor_take(jrpc_acceptor *acceptor, jrpc_error *error);
// Stops listening and frees. Accepts NULL.
void jrpc_acceptor_free(jrpc_acceptor *acceptor);

#endif
