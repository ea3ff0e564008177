// The fixture methods that stand in their own files, and what they remember. Private to this room.
#ifndef JRPC_SERVER_FIXTURE_H
#define JRPC_SERVER_FIXTURE_H

#include "reference/base/error.h"
#include "reference/base/slice.h"
#include "reference/rpc/router.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JRPC_NOT_FOUND = -32004,   // of user.get after it was deleted
    JRPC_FLOW_ENDED = -32001,  // of the next value of a flow that has no more
    JRPC_FLOW_FAILED = -32004, // of the next value of failing_flow after its first
    JRPC_REPLAYED = -32002,    // of nonce
    JRPC_UNSIGNED = -32003,    // of signed
    JRPC_FAILED = -32050,      // of debug
    JRPC_TIMED_OUT = -32003,   // of overdue
    JRPC_OVERDUE_MS = 20,      // after which overdue is stopped
    JRPC_NONCE_BYTES = 64,     // of one nonce at most
    JRPC_NONCES_MAX = 1024,    // remembered at once
    JRPC_NONCE_SECONDS = 300,  // by which a timestamp may be older than the wall clock
    JRPC_IDS_MAX = 256,        // of calls of once, at once; a new one takes the place of the oldest
    JRPC_ID_BYTES = 128,       // spelling of one of them
    JRPC_FLOWS_MAX = 256,      // remembered at once; a new one takes the place of the oldest
    JRPC_FLOW_VALUES = 3,      // that a flow gives: 0, 1, 2
    JRPC_SIGNATURE_BYTES = 16, // hexadecimal digits
    JRPC_STREAM_MAXIMUM = 10000, // notifications of one call of stream
    JRPC_USERS_MAX = 256,        // with a name of their own; a new one takes the oldest's place
    JRPC_USER_BYTES = 64,        // spelling of a target that is remembered
    JRPC_NAME_BYTES = 256,       // spelling of a name
    JRPC_FIRST_JOB = 123,        // the first results are those that the README of RO-JRPC prints
    JRPC_FIRST_ATTACHMENT = 456, //
    JRPC_FIRST_SESSION = 9,      //
};

// What debug shows to whom it may.
#define JRPC_DEBUG_DATA "{\"trace\":\"Traceback (most recent call last):\\n  in debug\"}"

typedef struct jrpc_nonce {
    int64_t timestamp; // seconds since 1970
    size_t len;        // 0: free
    char bytes[JRPC_NONCE_BYTES];
} jrpc_nonce;

// The id of a call of once.
typedef struct jrpc_served_id {
    size_t len; // 0: free
    char spelling[JRPC_ID_BYTES];
} jrpc_served_id;

typedef struct jrpc_flow {
    int64_t id; // from 1; 0: free
    int64_t next;
    bool fails; // after its first value
} jrpc_flow;

// A user that update or delete has touched.
typedef struct jrpc_user {
    size_t target_len; // 0: free
    size_t name_len;   // 0: deleted
    char target[JRPC_USER_BYTES];
    char name[JRPC_NAME_BYTES];
} jrpc_user;

// All zero at the start. Guarded by the server's lock.
typedef struct jrpc_fixture {
    jrpc_nonce nonces[JRPC_NONCES_MAX];
    jrpc_served_id ids[JRPC_IDS_MAX];
    size_t next_id;
    jrpc_flow flows[JRPC_FLOWS_MAX];
    int64_t flow_count; // begun so far
    jrpc_user users[JRPC_USERS_MAX];
    size_t next_user;
    int64_t job_count, session_count; // begun so far
} jrpc_fixture;

struct jrpc_server;

// Fails a call with -32602. Always false.
bool jrpc_fixture_bad_params(jrpc_call *call);
// Writes the signature that `signed` asks for with this message: the FNV-1a hash of 64 bits over
// the message and the shared text, as small hexadecimal digits without an end mark.
void jrpc_fixture_sign(jrpc_slice message, char ret_signature[JRPC_SIGNATURE_BYTES]);
// Registers denied, nonce, once, signed, tokened, restricted, debug and overdue, or flow with its
// two companions and stream, or the routes of RO-JRPC with their authorization. False with MEMORY.
bool jrpc_fixture_add_guarded(struct jrpc_server *server, jrpc_error *error);
bool jrpc_fixture_add_flows(struct jrpc_server *server, jrpc_error *error);
bool jrpc_fixture_add_resources(struct jrpc_server *server, jrpc_error *error);
// What user.delete does, which the authorization keeps everybody from: an effect, and the user of
// that target (its spelling) is gone.
void jrpc_fixture_delete_user(struct jrpc_server *server, jrpc_slice target);

#endif
