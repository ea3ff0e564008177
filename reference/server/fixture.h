// The fixture methods that stand in their own files, and what they remember. Private to this room.
#ifndef JRPC_SERVER_FIXTURE_H
#define JRPC_SERVER_FIXTURE_H

#include "reference/base/error.h"
#include "reference/base/slice.h"
#include "reference/rpc/router.h"

#include <stddef.h>
#include <stdint.h>

enum {
    JRPC_DENIED = -32001,        // of denied
    JRPC_FLOW_ENDED = -32001,    // of the next value of a flow that has no more
    JRPC_REPLAYED = -32002,      // of nonce
    JRPC_UNSIGNED = -32003,      // of signed
    JRPC_NONCE_BYTES = 64,       // of one nonce at most
    JRPC_NONCES_MAX = 1024,      // remembered at once
    JRPC_NONCE_SECONDS = 300,    // by which a timestamp may be older than the wall clock
    JRPC_FLOWS_MAX = 256,        // remembered at once; a new one takes the place of the oldest
    JRPC_FLOW_VALUES = 3,        // that a flow gives: 0, 1, 2
    JRPC_SIGNATURE_BYTES = 16,   // hexadecimal digits
    JRPC_STREAM_MAXIMUM = 10000, // notifications of one call of stream
};

typedef struct jrpc_nonce {
    int64_t timestamp; // seconds since 1970
    size_t len;        // 0: free
    char bytes[JRPC_NONCE_BYTES];
} jrpc_nonce;

typedef struct jrpc_flow {
    int64_t id; // from 1; 0: free
    int64_t next;
} jrpc_flow;

// All zero at the start. Guarded by the server's lock.
typedef struct jrpc_fixture {
    jrpc_nonce nonces[JRPC_NONCES_MAX];
    jrpc_flow flows[JRPC_FLOWS_MAX];
    int64_t flow_count; // begun so far
} jrpc_fixture;

struct jrpc_server;

// Fails a call with -32602. Always false.
bool jrpc_fixture_bad_params(jrpc_call *call);
// Writes the signature that `signed` asks for with this message: the FNV-1a hash of 64 bits over
// the message and the shared text, as small hexadecimal digits without an end mark.
void jrpc_fixture_sign(jrpc_slice message, char ret_signature[JRPC_SIGNATURE_BYTES]);
// Registers denied, nonce and signed, or flow with its two companions and stream. False with
// MEMORY.
bool jrpc_fixture_add_guarded(struct jrpc_server *server, jrpc_error *error);
bool jrpc_fixture_add_flows(struct jrpc_server *server, jrpc_error *error);

#endif
