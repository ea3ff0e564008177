// The socket under HTTP: what the library does not look after.
//
// Private to this room. A server that writes head and body of its answer apart waits for our
// acknowledgement of the head, which the system delays by 40 ms: it is hurried. A server that
// writes more than its answer would have that taken for the answer to the next message: its
// connections are used once.
#ifndef JRPC_NET_HTTP_SOCKET_H
#define JRPC_NET_HTTP_SOCKET_H

#include "reference/base/clock.h"

#include <curl/curl.h>
#include <stdbool.h>

typedef struct jrpc_http_socket {
    CURL *easy;     // borrowed
    int descriptor; // that the library opened last for `easy`, -1: none
    bool plain;     // no TLS: what can be read is what the server wrote
    bool looked;    // after a first exchange
    bool excess;    // the library dropped bytes after the last answer
} jrpc_http_socket;

// Watches the sockets of a handle from now on; `socket` must stay where it is until the connections
// of the handle are closed. False without memory.
bool jrpc_http_socket_watch(jrpc_http_socket *socket, CURL *easy, const char *url);
// Before waiting for an answer.
void jrpc_http_socket_hurry(const jrpc_http_socket *socket);
// Whether the server has written more than its last answer: the library dropped it, or it can be
// read now (which is waited for briefly).
bool jrpc_http_socket_has_more(const jrpc_http_socket *socket, const jrpc_clock *clock);
// Before the next message: if the server wrote more than its answer, this handle makes a new
// connection for each message from now on. After a first exchange such bytes are waited for
// briefly.
void jrpc_http_socket_check(jrpc_http_socket *socket, const jrpc_clock *clock);

#endif
