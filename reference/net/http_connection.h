// One connection of a client over HTTP: the requests that come over it, one after the other, and
// the answers that go back. Never waits. Private to this room.
#ifndef JRPC_NET_HTTP_CONNECTION_H
#define JRPC_NET_HTTP_CONNECTION_H

#include "reference/base/buffer.h"
#include "reference/base/clock.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct jrpc_http_connection {
    int socket;      // -1: closed
    jrpc_buffer in;  // bytes that no request has taken yet
    jrpc_buffer out; // bytes to write
    bool ended;      // the client sends nothing more
    bool leaving;    // the connection ends once `out` is written
    bool left;       // … and our half of it has ended
    bool continued;  // the request that is coming was told to go on
} jrpc_http_connection;

// Takes a non-blocking socket. `max_body`: bytes of a request that are kept.
void jrpc_http_connection_init(jrpc_http_connection *self, int socket, size_t max_body,
                               const jrpc_allocator *allocator);
void jrpc_http_connection_done(jrpc_http_connection *self);

// Reads and writes as much as is possible at this moment. Afterwards `socket` is -1 if the
// connection is over.
void jrpc_http_connection_move(jrpc_http_connection *self);
// Takes the next request, if it is complete: its head with the empty line, and its content. A
// request that expects 100 (Continue) gets that. MORE when it is not complete; BAD when it is not a
// request, or too long, and nothing more can be read.
jrpc_decoded jrpc_http_connection_take(jrpc_http_connection *self, jrpc_buffer *head,
                                       jrpc_buffer *content);
// Writes what is waiting in parts, with pauses between them, inside of the head and of the body.
// Each CR ends a part.
void jrpc_http_connection_write_apart(jrpc_http_connection *self, const jrpc_clock *clock);

#endif
