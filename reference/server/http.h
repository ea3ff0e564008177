// The reference server behind HTTP: POST a message, get what is owed.
//
// 200 with the Response as application/json; 204 where nothing is owed; 405 for other methods than
// POST; 413 with an Invalid Request for a body over the limit. A client that accepts
// text/event-stream and nothing else gets each message as an event, pushes included.
#ifndef JRPC_SERVER_HTTP_H
#define JRPC_SERVER_HTTP_H

#include "reference/net/http_listener.h"
#include "reference/server/connection.h"

// Listens and serves. Contract of jrpc_http_listener_new; `server` is borrowed.
jrpc_http_listener *jrpc_server_http(jrpc_server *server, const char *host, const char *port,
                                     jrpc_error *error);

#endif
