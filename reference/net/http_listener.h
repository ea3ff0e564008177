// An HTTP/1.1 listener: requests with whole bodies in, replies with whole bodies out. Each
// connection has a thread of its own, on which its requests are handled one after the other.
#ifndef JRPC_NET_HTTP_LISTENER_H
#define JRPC_NET_HTTP_LISTENER_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/net/http_stream.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct jrpc_http_listener jrpc_http_listener;

// Borrowed until the handler returns.
typedef struct jrpc_http_request {
    const char *method;
    const char *path;
    const char *content_type; // NULL if there is none
    const char *accept;       // NULL if there is none
    const char *origin;       // NULL if there is none
    const char *session;      // the header that the listener's limits name; NULL if there is none
    bool chunked;             // it came without a Content-Length
    bool oversize;            // longer than the listener's limit: `body` is its beginning
    jrpc_slice body;
    const void *head; // private: the other headers
} jrpc_http_request;

// A header of the request, whatever the case of its name; NULL if there is none. Borrowed as the
// request.
const char *jrpc_http_request_header(const jrpc_http_request *request, const char *name);
// Gives each argument of the query, decoded, to `take`, in their order; `value` is NULL where there
// is no "=". Both are borrowed as the request.
void jrpc_http_request_arguments(const jrpc_http_request *request,
                                 void (*take)(void *context, const char *name, const char *value),
                                 void *context);
// Whether the name of Content-Type or Content-Length is spelled in another case than here.
bool jrpc_http_request_has_odd_names(const jrpc_http_request *request);

// The most cuts that a reply can have. Any others are ignored.
#define JRPC_HTTP_CUTS_MAX ((size_t)32)

typedef struct jrpc_http_reply {
    int status;               // 0: close the connection without a reply
    const char *content_type; // constant; NULL: none
    const char *allow;        // constant; NULL: none
    bool close;               // end the connection after it
    bool endless;             // the body goes on without an end, until the client leaves
    bool unbuffered;          // proxies are asked to pass the body on as it comes
    const char *session;      // value of the header that the listener's limits name; NULL: none
    // The body is what comes out of it, with a comment of a stream of events in every pause; its
    // reference passes to the listener. NULL: `body` is all.
    jrpc_http_stream *stream;
    jrpc_buffer body;
    // Ascending offsets: the body is sent in chunks that end there. Without any, it is sent with a
    // Content-Length.
    size_t cuts[JRPC_HTTP_CUTS_MAX];
    size_t cut_count;
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

typedef struct jrpc_http_limits {
    size_t body;          // bytes of a request's body that are kept
    unsigned idle_s;      // a connection that is silent for so long is closed; 0: never
    unsigned connections; // at once; a further one is closed without an answer
    const char *session;  // the name of a header that handlers see and set; constant
} jrpc_http_limits;

// Listens on host:port ("0" chooses a free one) and serves at once, on threads of its own.
// `handlers` are copied, their context borrowed. NULL with USAGE, SYSTEM or MEMORY. Owned:
// jrpc_http_listener_free.
jrpc_http_listener *jrpc_http_listener_new(const char *host, const char *port,
                                           const jrpc_http_handlers *handlers,
                                           const jrpc_http_limits *limits,
                                           const jrpc_allocator *allocator, jrpc_error *error);
// "http://127.0.0.1:41234/". Borrowed.
const char *jrpc_http_listener_address(const jrpc_http_listener *listener);
// Waits for the handlers that are running, closes all connections and frees. Accepts NULL.
void jrpc_http_listener_free(jrpc_http_listener *listener);

#endif
