// The reference server behind WebSocket: each text or binary message one JSON-RPC message.
#ifndef JRPC_SERVER_WEBSOCKET_H
#define JRPC_SERVER_WEBSOCKET_H

#include "reference/server/connection.h"

// Shakes hands and serves one connection until either side closes or the server stops: a
// jrpc_serve, its context is the jrpc_server.
void jrpc_server_websocket(void *context, int input, int output);

#endif
