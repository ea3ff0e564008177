// What came back from one HTTP exchange, told apart into messages. Private to this room; knows
// nothing of how the bytes travelled.
#ifndef JRPC_NET_HTTP_ANSWER_H
#define JRPC_NET_HTTP_ANSWER_H

#include "reference/net/peer.h"
#include "reference/wire/bounds.h"
#include "reference/wire/sse.h"

typedef struct jrpc_http_answer {
    size_t max_message;
    jrpc_buffer head;  // the raw header block of the final response
    jrpc_buffer body;  // of one message, or of all events not taken yet
    jrpc_buffer items; // where they stand in `body`: jrpc_http_item
    size_t item_taken; // bytes of `items`
    jrpc_sse sse;
    bool events;        // the body is a stream of events
    bool marked;        // … in which [DONE] has come
    size_t arrived;     // bytes of the body
    size_t length;      // Content-Length, 0 if unknown
    bool measured;      // it has a Content-Length
    bool chunked;       // … a transfer coding
    bool sized;         // … one of them, or says that the connection ends after it
    jrpc_bounds bounds; // of the JSON value in the body
    bool whole;         // the body is one JSON value that has ended, if brackets are what they seem
    int64_t last_us;    // when its last byte came; the caller sets it until there is one
    const char *flaw;   // what is wrong with the answer although it can be read; NULL: nothing
    jrpc_flaw flaw_of;  // where there is one
    bool json_type;     // the content type claims JSON
    bool typed;         // there is a content type
    bool cut;           // the body is longer than a message may be
    bool failed;        // memory is out
    int status;         // 0 before the head came
    bool headed;        // the whole head of the final response has come
    bool reused;
    bool closed;      // the server closed the connection after it, as requested
    bool surplus;     // before that, more bytes came than belong to the answer
    bool early;       // its head came before the body of the request was sent
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
// What is wrong with an unfinished answer that seems complete (its body is a whole JSON value, or
// it has no body and nothing says that there is one), if the connection stays open and silent (RFC
// 9112, section 6.3). NULL: it is not complete. A constant.
const char *jrpc_http_answer_is_endless(const jrpc_http_answer *answer);
// Whether the answer shows where it ends although the connection stays open, and is not a stream of
// events.
bool jrpc_http_answer_is_sized(const jrpc_http_answer *answer);
// Whether the Content-Length ends inside a JSON value.
bool jrpc_http_answer_is_cut(const jrpc_http_answer *answer);
// Before jrpc_http_answer_end: takes note of an end that is wrong. `broken`: the exchange broke
// off. `more`: the body is cut, and more bytes followed.
void jrpc_http_answer_check_end(jrpc_http_answer *answer, bool broken, bool more);
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
