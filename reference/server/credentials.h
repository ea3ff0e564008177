// The tokens that jrpc-reference asks for over HTTP, and in the handshake of WebSocket, when it has
// a key (--token-key).
#ifndef JRPC_SERVER_CREDENTIALS_H
#define JRPC_SERVER_CREDENTIALS_H

#include "reference/server/connection.h"

// Whether `given`, the value of the header Authorization (without a pointer: there is none), is a
// token (JWT, HS256) that was signed with the server's key and has not expired; always true without
// a key. What the role in it may do holds for the connection until the next call of this function.
bool jrpc_credentials_pass(jrpc_connection *connection, jrpc_slice given);
// Whether a refused message takes effect all the same: a fault.
bool jrpc_credentials_run_anyway(const jrpc_connection *connection);

#endif
