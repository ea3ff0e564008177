// What a program does once before it opens peers over HTTP or WebSocket.
#ifndef JRPC_NET_HTTP_H
#define JRPC_NET_HTTP_H

#include <stdbool.h>

// Prepares the HTTP library for the whole process; called by main before threads are started. False
// when that fails.
bool jrpc_http_start(void);
// Releases what jrpc_http_start took.
void jrpc_http_stop(void);

#endif
