// The tokens that jrpc-reference asks for over HTTP when it has a key (--token-key).
#ifndef JRPC_SERVER_CREDENTIALS_H
#define JRPC_SERVER_CREDENTIALS_H

#include "reference/net/http_listener.h"
#include "reference/server/connection.h"

// Whether a request carries a token (JWT, HS256) that was signed with the server's key and has not
// expired; always true without a key. What the role in it may do holds for the connection until the
// next request.
bool jrpc_credentials_pass(jrpc_connection *connection, const jrpc_http_request *request);
// Whether a refused message takes effect all the same: a fault.
bool jrpc_credentials_run_anyway(const jrpc_connection *connection);

#endif
