// Exchanges over HTTP at the least cost: one write and, as a rule, one read, over a plain
// connection that is kept. For whoever sends so many messages that the library under the other
// exchanges would take most of the time. Private to this room.
#ifndef JRPC_NET_HTTP_LEAN_H
#define JRPC_NET_HTTP_LEAN_H

#include "reference/net/http_answer.h"

typedef struct jrpc_http_lean {
    const jrpc_endpoint *endpoint; // borrowed
    int descriptor;                // -1: not connected
    bool busy;                     // an answer is awaited
    bool kept;                     // the request went over a connection that others used before
    bool bodyless;                 // its answer has no body
    bool ended;                    // the server has closed the connection
    jrpc_buffer usual;             // the head of a usual request, up to its Content-Length
    jrpc_buffer out;               // the request
    jrpc_buffer in;                // what has been read of the answer
    jrpc_buffer content;
} jrpc_http_lean;

// Initializes caller's storage; `endpoint` is borrowed until jrpc_http_lean_done.
void jrpc_http_lean_init(jrpc_http_lean *lean, const jrpc_endpoint *endpoint);
void jrpc_http_lean_done(jrpc_http_lean *lean);
// Closes the connection, if there is one, and forgets the exchange under way.
void jrpc_http_lean_close(jrpc_http_lean *lean);
// Other headers are sent from now on.
void jrpc_http_lean_set_headers(jrpc_http_lean *lean);
// Whether a message can be sent so in this manner.
bool jrpc_http_lean_suits(const jrpc_http_lean *lean, const jrpc_manner *manner);
// Sends a message. MESSAGE; or TIMEOUT, INTERRUPTED, ENDED or FAULT.
jrpc_peer_event jrpc_http_lean_send(jrpc_http_lean *lean, jrpc_slice payload,
                                    const jrpc_manner *manner, int64_t deadline_us,
                                    jrpc_error *error);
// Waits for the answer. MESSAGE: it is in `answer`, which is cleared first; one that broke off is
// there without its body. ENDED: there is none, because the server has closed the connection; or
// TIMEOUT, INTERRUPTED or FAULT.
jrpc_peer_event jrpc_http_lean_receive(jrpc_http_lean *lean, jrpc_http_answer *answer,
                                       int64_t deadline_us, jrpc_error *error);

#endif
