// What a transport implements to be listened on. Private to this room.
#ifndef JRPC_NET_ACCEPTOR_PRIVATE_H
#define JRPC_NET_ACCEPTOR_PRIVATE_H

#include "reference/net/acceptor.h"

// The functions behind the calls of acceptor.h with the same names and contracts.
typedef struct jrpc_acceptor_operations {
    const char *(*address)(const jrpc_acceptor *acceptor);
    int (*descriptor)(const jrpc_acceptor *acceptor);
    jrpc_peer *(*take)(jrpc_acceptor *acceptor, jrpc_error *error);
    void (*free)(jrpc_acceptor *acceptor);
} jrpc_acceptor_operations;

// First member of every transport's own struct.
struct jrpc_acceptor {
    const jrpc_acceptor_operations *operations;
};

// A peer of an accepted socket, which is taken, also on failure. NULL with MEMORY or SYSTEM.
typedef jrpc_peer *jrpc_acceptor_adopt(const jrpc_endpoint *endpoint, int descriptor,
                                       jrpc_error *error);

// Listens on a socket; `adopt` makes peers of what it accepts. `scheme` begins the address
// ("tcp://"), NULL: as the listener says it.
jrpc_acceptor *jrpc_acceptor_of_sockets(const jrpc_endpoint *endpoint, const char *scheme,
                                        jrpc_acceptor_adopt *adopt, jrpc_error *error);
// In builds with HTTP. The contract of jrpc_acceptor_new.
jrpc_acceptor *jrpc_http_acceptor_new(const jrpc_endpoint *endpoint, jrpc_error *error);
jrpc_acceptor *jrpc_websocket_acceptor_new(const jrpc_endpoint *endpoint, jrpc_error *error);

#endif
