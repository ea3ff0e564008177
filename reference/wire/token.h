// JSON Web Tokens (RFC 7515, RFC 7519) with the algorithm HS256.
#ifndef JRPC_WIRE_TOKEN_H
#define JRPC_WIRE_TOKEN_H

#include "reference/base/buffer.h"

#define JRPC_TOKEN_CLAIMS_MAX ((size_t)4096)

typedef enum jrpc_token_state {
    JRPC_TOKEN_SIGNED,    // with the key
    JRPC_TOKEN_FORGED,    // with another key, or altered
    JRPC_TOKEN_UNSIGNED,  // it says that it has the algorithm none
    JRPC_TOKEN_MALFORMED, // not a token of HS256 at all
} jrpc_token_state;

// Appends the token of `claims`, a JSON text of JRPC_TOKEN_CLAIMS_MAX bytes at most, signed with
// `key`; with the algorithm none and without a signature where `key` has no pointer. False without
// room.
bool jrpc_token_write(jrpc_slice claims, jrpc_slice key, jrpc_buffer *out);
// Takes a token apart; its claims are appended to `claims` unless it is malformed. Whether they
// hold (exp, nbf) is for the caller to see.
jrpc_token_state jrpc_token_read(jrpc_slice token, jrpc_slice key, jrpc_buffer *claims);

#endif
