// Where the client under test connects: a listener, and the accepted connections.
#ifndef JCK_DRIVE_RECEPTION_H
#define JCK_DRIVE_RECEPTION_H

#include "harness/suite/target.h"
#include "reference/net/acceptor.h"

// The most connections at once; further ones wait.
#define JCK_CALLERS_MAX 64

typedef struct jck_caller {
    jrpc_peer *peer; // NULL: an unused slot
    char letter;     // name of the connection in the record: 'a' is the first one of a case
    bool half;       // we have stopped sending
} jck_caller;

typedef struct jck_reception {
    jrpc_endpoint endpoint;   // how to talk to peers, and where the listener is
    jrpc_acceptor *acceptor;  // NULL: closed
    jrpc_websocket_keys keys; // of handshakes that came over WebSocket
    char folder[128];         // of a Unix socket; empty: none
    char path[160];
    jck_caller callers[JCK_CALLERS_MAX];
    size_t letters; // used in this case
} jck_reception;

// Listens over the transport; stdio is a Unix socket that a bridge connects to. False with *error.
// Close with jck_reception_close in any case.
bool jck_reception_open(jck_reception *reception, const jck_target *target, const jrpc_clock *clock,
                        int interrupt_fd, jrpc_error *error);
void jck_reception_close(jck_reception *reception);
// Accepts pending connections. False with *error.
bool jck_reception_accept(jck_reception *reception, jrpc_error *error);
// The connection with this letter, or NULL.
jck_caller *jck_reception_find(jck_reception *reception, char letter);
// Whether anybody is connected.
bool jck_reception_is_visited(const jck_reception *reception);
void jck_reception_drop(jck_caller *caller); // closes one connection
void jck_reception_drop_all(jck_reception *reception);
// Begins a new case: open connections keep their order and get the first letters.
void jck_reception_begin(jck_reception *reception);

#endif
