// What a peer over HTTP does beside its exchanges: it listens to a stream of events, and answers
// the other side's requests, each on a transfer of its own. Private to this room.
#ifndef JRPC_NET_HTTP_ASIDE_H
#define JRPC_NET_HTTP_ASIDE_H

#include "reference/net/http_answer.h"
#include "reference/net/http_private.h"

// Answers that may be under way at once.
#define JRPC_HTTP_ASIDES_MAX 16

typedef struct jrpc_http_aside {
    const jrpc_endpoint *endpoint; // borrowed
    CURLM *multi;                  // borrowed
    // The stream of events: `listening` if it is wanted, `open` while its transfer is under way.
    bool listening, open;
    CURL *stream;
    struct curl_slist *stream_headers;
    jrpc_http_answer events;
    char failure[CURL_ERROR_SIZE];
    // Answers to the other side's requests.
    struct {
        CURL *easy; // NULL: an empty place
        struct curl_slist *headers;
    } replies[JRPC_HTTP_ASIDES_MAX];
} jrpc_http_aside;

// Initializes caller's storage; both pointers are borrowed until jrpc_http_aside_done.
void jrpc_http_aside_init(jrpc_http_aside *aside, const jrpc_endpoint *endpoint, CURLM *multi,
                          size_t max_message);
void jrpc_http_aside_done(jrpc_http_aside *aside);
// Closes idle connections: *multi, which is that of `aside`, is replaced by a new one. Nothing
// happens while a transfer is under way.
void jrpc_http_aside_renew(jrpc_http_aside *aside, CURLM **multi);

// Begins the transfer of the stream (again). False with MEMORY.
bool jrpc_http_aside_listen(jrpc_http_aside *aside, jrpc_error *error);
// Whether the other side has said what it makes of it; false with INVALID in *error (and nothing is
// listened to any more) if it offers no stream.
bool jrpc_http_aside_is_settled(jrpc_http_aside *aside, bool *ret_settled, jrpc_error *error);
// Posts a message whose answer is of no interest. False when there is no room or memory.
bool jrpc_http_aside_post(jrpc_http_aside *aside, jrpc_slice payload);
// Takes note that a transfer is over; false if it was none of these.
bool jrpc_http_aside_conclude(jrpc_http_aside *aside, const CURL *easy);

#endif
