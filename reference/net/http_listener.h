// An HTTP/1.1 listener: requests with whole bodies in, replies with whole bodies out. Each
// connection has a thread of its own, on which its requests are handled one after the other.
#ifndef JRPC_NET_HTTP_LISTENER_H
#define JRPC_NET_HTTP_LISTENER_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct jrpc_http_listener jrpc_http_listener;

// Borrowed until the handler returns.
typedef struct jrpc_http_request {
    const char *method;
    const char *path;
    const char *content_type; // NULL if there is none
    const char *accept;       // NULL if there is none
    bool chunked;             // it came without a Content-Length
    bool oversize;            // longer than the listener's limit: `body` is its beginning
    jrpc_slice body;
} jrpc_http_request;

typedef struct jrpc_http_reply {
    int status;               // 0: close the connection without a reply
    const char *content_type; // constant; NULL: none
    const char *allow;        // constant; NULL: none
    bool close;               // end the connection behind it
    bool endless;             // the body goes on without an end, until the client leaves
    jrpc_buffer body;
} jrpc_http_reply;

// What serves requests. `opened` gives a state for a connection (NULL: it is closed at once),
// `closed` takes it back; `handle` fills the reply, which is empty and of status 200.
typedef struct jrpc_http_handlers {
    void *context;
    void *(*opened)(void *context);
    void (*closed)(void *context, void *state);
    void (*handle)(void *context, void *state, const jrpc_http_request *request,
                   jrpc_http_reply *reply);
} jrpc_http_handlers;

// Listens on host:port ("0" chooses a free one) and serves at once, on threads of its own.
// Connections are at most JRPC_LIMIT_CONNECTIONS; idle ones are closed after `idle_s` seconds.
// `max_body` in bytes. `handlers` are copied, their context borrowed. NULL with USAGE, SYSTEM or
// MEMORY. Owned: jrpc_http_listener_free.
jrpc_http_listener *jrpc_http_listener_new(const char *host, const char *port,
                                           const jrpc_http_handlers *handlers, size_t max_body,
                                           unsigned idle_s, const jrpc_allocator *allocator,
                                           jrpc_error *error);
// "http://127.0.0.1:41234/". Borrowed.
const char *jrpc_http_listener_address(const jrpc_http_listener *listener);
// Waits for the handlers that are running, closes all connections and frees. Accepts NULL.
void jrpc_http_listener_free(jrpc_http_listener *listener);

#endif
