// The reference server behind HTTP: POST a message, get what is owed.
//
// 200 with the Response as application/json; 204 where nothing is owed; 405 for other methods than
// POST; 403 for a page of an origin that is not allowed; 413 with an Invalid Request for a body
// over the limit. A client that accepts text/event-stream and nothing else gets each message as an
// event, pushes included.
//
// GET /rpc/stream?method=…&id=…&NAME=… is a call with named params, which are Strings; it is
// answered with a stream of events.
//
// With sessions (server->sessions), a POST without a session's id begins one and is told its id in
// a header; GET opens a stream of events beside the POSTs of a session, which then takes all that
// is not an answer; DELETE ends it. 404 for a session that is not known.
#ifndef JRPC_SERVER_HTTP_H
#define JRPC_SERVER_HTTP_H

#include "reference/net/http_listener.h"
#include "reference/server/connection.h"

// Listens and serves. Contract of jrpc_http_listener_new; `server` is borrowed.
jrpc_http_listener *jrpc_server_http(jrpc_server *server, const char *host, const char *port,
                                     jrpc_error *error);

// The same for one connection, with the bytes of HTTP read and written by hand: for faults that lie
// there. A jrpc_serve; `context` is the server.
void jrpc_server_http_by_hand(void *context, int input, int output);
// Whether the server has such a fault.
bool jrpc_server_is_http_by_hand(const jrpc_server *server);
// What serves requests; `server` is borrowed.
jrpc_http_handlers jrpc_server_http_handlers(jrpc_server *server);

#endif
