// What a transport implements to be a peer. Private to this room.
#ifndef JRPC_NET_PEER_PRIVATE_H
#define JRPC_NET_PEER_PRIVATE_H

#include "reference/net/peer.h"

// The functions behind the calls of peer.h with the same names and contracts.
typedef struct jrpc_peer_operations {
    jrpc_peer_event (*send)(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                            jrpc_error *error);
    // NULL: there is no choice of manner, and `send` is called.
    jrpc_peer_event (*send_as)(jrpc_peer *peer, jrpc_slice payload, const jrpc_manner *manner,
                               int64_t deadline_us, jrpc_error *error);
    const char *(*debt)(const jrpc_peer *peer, jrpc_flaw *ret_of); // NULL: there is never one
    void (*set_interrupt)(jrpc_peer *peer, int interrupt_fd);
    // NULL: it takes no headers, it has no stream beside its messages.
    void (*set_headers)(jrpc_peer *peer, const char *const *headers);
    jrpc_peer_event (*listen)(jrpc_peer *peer, int64_t deadline_us, jrpc_error *error);
    jrpc_peer_event (*send_raw)(jrpc_peer *peer, jrpc_slice bytes, int64_t deadline_us,
                                jrpc_error *error);
    jrpc_peer_event (*send_chunks)(jrpc_peer *peer, jrpc_slice payload, const size_t *offsets,
                                   size_t count, int64_t deadline_us, jrpc_error *error);
    jrpc_peer_event (*receive)(jrpc_peer *peer, int64_t deadline_us, jrpc_received *ret_received,
                               jrpc_error *error);
    void (*close_write)(jrpc_peer *peer);
    void (*close_hard)(jrpc_peer *peer); // NULL: closing knows one way only
    jrpc_peer_ending (*end)(jrpc_peer *peer, int64_t deadline_us);
    void (*stderr_tail)(jrpc_peer *peer, jrpc_buffer *out);
    int (*descriptor)(const jrpc_peer *peer);  // NULL: there is none
    int64_t (*process)(const jrpc_peer *peer); // NULL: there is none
    void (*close)(jrpc_peer *peer, int64_t grace_ms);
} jrpc_peer_operations;

// First member of every transport's own struct.
struct jrpc_peer {
    const jrpc_peer_operations *operations;
};

// Streams: child process, TCP, Unix socket. Contract of jrpc_peer_open.
jrpc_peer *jrpc_stream_open(const jrpc_endpoint *endpoint, int64_t deadline_us, jrpc_error *error);
// HTTP and WebSocket, in builds that have them. The same contract.
jrpc_peer *jrpc_http_open(const jrpc_endpoint *endpoint, int64_t deadline_us, jrpc_error *error);
jrpc_peer *jrpc_websocket_open(const jrpc_endpoint *endpoint, int64_t deadline_us,
                               jrpc_error *error);

#endif
