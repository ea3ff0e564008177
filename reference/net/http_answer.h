// What came back from one HTTP exchange, told apart into messages. Private to this room; knows
// nothing of how the bytes travelled.
#ifndef JRPC_NET_HTTP_ANSWER_H
#define JRPC_NET_HTTP_ANSWER_H

#include "reference/net/peer.h"
#include "reference/wire/sse.h"

typedef struct jrpc_http_answer {
    size_t max_message;
    jrpc_buffer head;  // the raw header block of the final response
    jrpc_buffer body;  // of one message, or of all events not taken yet
    jrpc_buffer items; // where they stand in `body`: jrpc_http_item
    size_t item_taken; // bytes of `items`
    jrpc_sse sse;
    bool events;      // the body is a stream of events
    bool marked;      // … in which [DONE] has come
    size_t arrived;   // bytes of the body
    size_t length;    // Content-Length, 0 if unknown
    bool sized;       // it states its length, or that the connection ends after it
    char last;        // the last byte of the body that is not white space
    int64_t last_us;  // when it came; the caller sets it until there is one
    const char *flaw; // what is wrong with the answer although it can be read; NULL: nothing
    bool json_type;   // the content type claims JSON
    bool typed;       // there is a content type
    bool cut;         // the body is longer than a message may be
    bool failed;      // memory is out
    int status;       // 0 before the head came
    bool headed;      // the whole head of the final response has come
    bool reused;
    bool closed;      // the server closed the connection after it, as requested
    bool surplus;     // before that, more bytes came than belong to the answer
    const char *left; // how it closed the connection without announcing it; NULL: it did not
    char why[256];    // of the NOISE taken last
} jrpc_http_answer;

void jrpc_http_answer_init(jrpc_http_answer *answer, size_t max_message,
                           const jrpc_allocator *allocator);
void jrpc_http_answer_done(jrpc_http_answer *answer);
void jrpc_http_answer_clear(jrpc_http_answer *answer); // a new exchange begins

// One line of the head, its line end included. A status line begins a new head.
void jrpc_http_answer_header(jrpc_http_answer *answer, jrpc_slice line);
// A piece of the body, and when it came. Of a body longer than a message may be the beginning is
// kept. False if no more is wanted.
bool jrpc_http_answer_body(jrpc_http_answer *answer, jrpc_slice bytes, int64_t at_us);
// Whether an answer seems complete (it has no body, or one that ends as JSON does) but does not
// show where it ends: it has no length and no chunks, and does not announce that the connection
// will close (RFC 9112, section 6.3).
bool jrpc_http_answer_is_endless(const jrpc_http_answer *answer);
// The exchange is over; `broken` says why it broke off, NULL if it did not. `reused` is set by
// the caller.
void jrpc_http_answer_end(jrpc_http_answer *answer, int64_t at_us, const char *broken);

// Adds a whole answer to those that came before it, if any: its head (that of an interim answer may
// stand before it), and the content of its body.
void jrpc_http_answer_add(jrpc_http_answer *answer, jrpc_slice head, jrpc_slice content,
                          int64_t at_us);

// The next message or noise (then ret_received->why is set), borrowed until the next call. False if
// there is none yet.
bool jrpc_http_answer_take(jrpc_http_answer *answer, jrpc_received *ret_received);
// Whether everything that came was taken.
bool jrpc_http_answer_is_taken(const jrpc_http_answer *answer);
// Status and headers, without a message.
void jrpc_http_answer_describe(const jrpc_http_answer *answer, jrpc_received *ret_received);

#endif
