// Another JSON-RPC endpoint: where it is, and how it is spoken to.
#ifndef JRPC_NET_ENDPOINT_H
#define JRPC_NET_ENDPOINT_H

#include "reference/base/allocator.h"
#include "reference/base/clock.h"
#include "reference/base/error.h"
#include "reference/net/transport.h"
#include "reference/rpc/router.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jrpc_endpoint;
struct jrpc_peer;
struct jrpc_websocket_welcome; // websocket_forms.h

// The keys of the last handshakes that were received, to notice one that comes again.
typedef struct jrpc_websocket_keys {
    char keys[8][25];
    size_t count; // of all that came
} jrpc_websocket_keys;

// Another way to open a connection: the contract of jrpc_peer_open.
typedef struct jrpc_peer *jrpc_dial(const struct jrpc_endpoint *endpoint, int64_t deadline_us,
                                    jrpc_error *error);

// Gives the headers ("Name: value") that repeat parts of a message to `take`, which is called with
// `list` and keeps a copy. False when memory is out, or `take` said so.
typedef bool jrpc_mirror(const void *context, jrpc_slice message,
                         bool (*take)(void *list, const char *line), void *list);

// Where the other endpoint is and how to speak to it. All pointers are borrowed while a peer opened
// from it lives.
typedef struct jrpc_endpoint {
    jrpc_transport transport;
    jrpc_role role;                 // our own: a client towards servers
    jrpc_framing framing;           // streams only
    char *const *argv;              // STDIO
    const char *directory;          // STDIO, may be NULL
    const char *const *environment; // STDIO, may be NULL
    const char *host;               // TCP
    const char *port;               // TCP: a number or a service name
    const char *path;               // UNIX
    const char *url;                // HTTP, WEBSOCKET
    const char *const *headers;     // HTTP, WEBSOCKET: "Name: value", NULL-terminated, may be NULL
    const char *const *handshake;   // WEBSOCKET: lines in the place of the headers above and of our
                                    // own; "Name:" leaves one out; may be NULL
    bool strict; // WEBSOCKET, a client: what a client must not accept ends the connection; else it
                 // is reported as a flaw
    const struct jrpc_websocket_welcome *welcome; // WEBSOCKET, an acceptor: NULL: as usual
    jrpc_websocket_keys *keys;                    // WEBSOCKET, an acceptor: may be NULL
    jrpc_mirror *mirror;                          // HTTP: headers of each message, may be NULL
    const void *mirror_context;                   // for `mirror`
    const char *ca_file;    // TLS: certificates to trust (PEM), NULL: the system's
    bool insecure;          // TLS: any certificate will do
    const char *cert_file;  // TLS: our own certificate (PEM), NULL: none
    const char *key_file;   // TLS: its key (PEM), NULL: in the same file
    const char *proxy;      // HTTP, WEBSOCKET: NULL: none; "env": as the environment says
    uint64_t memory;        // STDIO: bytes that the child may have, 0: no limit
    const char *events_url; // HTTP: where jrpc_peer_listen asks for events, may be NULL
    size_t max_message;     // bytes of one received message, 0: JRPC_LIMIT_MESSAGE_BYTES
    int interrupt_fd;       // readable: every blocking call returns at once; -1: none
    jrpc_dial *dial;        // opens the connection; NULL: as the transport does
    void *dial_context;     // for `dial`
    const jrpc_allocator *allocator;
    const jrpc_clock *clock;
} jrpc_endpoint;

#endif
