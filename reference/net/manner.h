// The manner in which one message is sent.
#ifndef JRPC_NET_MANNER_H
#define JRPC_NET_MANNER_H

#include <stdbool.h>
#include <stddef.h>

// How the names of HTTP header fields are spelled: they are the same in any case.
typedef enum jrpc_names {
    JRPC_NAMES_USUAL,
    JRPC_NAMES_LOWER,
    JRPC_NAMES_UPPER,
} jrpc_names;

// What of a request over HTTP is written by hand, over a connection of its own.
typedef enum jrpc_bytes {
    JRPC_BYTES_USUAL,
    JRPC_BYTES_PIPELINED,  // each line of the message is a request; all go out before any answer
    JRPC_BYTES_EXTENSIONS, // a body in chunks that have extensions (RFC 9112, section 7.1.1)
    JRPC_BYTES_EXPECT,     // "Expect: 100-continue", and a body that waits for that
    JRPC_BYTES_CLOSE,      // "Connection: close"; the connection is read to its end
    JRPC_BYTES_HEAD,       // HEAD instead of POST, and as CLOSE
    JRPC_BYTES_OLD,        // HTTP/1.0; the connection is read to its end
    JRPC_BYTES_HOSTLESS,   // without the header field Host
    JRPC_BYTES_LENGTHS,    // with a second Content-Length that says one byte less
    JRPC_BYTES_SPACED,     // with white space between a header's name and its colon
    JRPC_BYTES_ABSOLUTE,   // the whole URL in the request line
    JRPC_BYTES_SIXTEENS,   // a body in chunks of 16 bytes: the size 10 is hexadecimal, but looks
                           // decimal
    JRPC_BYTES_ZEROS,      // a chunked body whose sizes have leading zeros and capital letters
    JRPC_BYTES_BOTH,       // a chunked body, and also a Content-Length
    JRPC_BYTES_IN_TURN,  // each line of the message is a request, sent after the answer to the one
                         // before; the first has a chunked body
    JRPC_BYTES_TRAILERS, // … and trailer fields; the other bodies are chunked too
    JRPC_BYTES_CLOSE_CASE, // as CLOSE, but with "Connection: Close"
    JRPC_BYTES_CLOSE_LIST, // as CLOSE, but with another option before "close"
    JRPC_BYTES_PIECES,     // the body in two writes, some time apart
    JRPC_BYTES_MANY,    // the same request many times, each sent after the answer to the one before
    JRPC_BYTES_LETTERS, // a body in chunks of 26 bytes: the size 1a has a letter in it
    JRPC_BYTES_UNSPACED,   // no white space after the colons of header fields
    JRPC_BYTES_TABBED,     // tabs before the values of header fields
    JRPC_BYTES_EMPTY_LINE, // an empty line before the request line
} jrpc_bytes;

// The form of an HTTP answer (http_replies.h).
struct jrpc_http_reply_form;

// The form of a WebSocket message (websocket_forms.h).
struct jrpc_websocket_form;

// How one message is sent where the transport leaves a choice; zeroed: as usual.
typedef struct jrpc_manner {
    const char *http_method;  // HTTP: NULL is POST; GET, HEAD and DELETE carry no body
    const char *url;          // HTTP: NULL is that of the endpoint; with another one, a method
                              // without a body has an answer that ends
    const char *content_type; // HTTP: NULL is application/json
    unsigned status;          // HTTP: of an answer; 0 is 200, or 204 without a body
    const struct jrpc_http_reply_form *reply; // HTTP: of an answer; NULL: as usual
    const char *const *headers; // HTTP: lines "Name: value" in the place of the target's and our
                                // own; "Name:" leaves one out; NULL-terminated; NULL: none
    jrpc_names names;           // HTTP: of all headers of the message, Content-Length among them
    jrpc_bytes bytes;           // HTTP: usual through a proxy, whatever it says
    bool chunked;               // HTTP: chunked transfer coding instead of Content-Length
    bool binary;                // WEBSOCKET: a binary message
    bool ping;                  // WEBSOCKET: a ping before the message, and a wait for its pong;
                                // in a message of several fragments, after the first of them
    const struct jrpc_websocket_form *form; // WEBSOCKET: NULL: as usual
    bool close;                             // WEBSOCKET: a close, with the message as its reason
    unsigned close_code;                    // … and this status code; 0: without one
    const size_t *pieces; // the ascending offsets at which the message is cut into
    size_t piece_count;   // fragments (WEBSOCKET) or chunks (HTTP, if chunked)
    bool aside;           // HTTP: beside the exchange under way; its answer is dropped
    bool lean;            // HTTP: at the least cost, if that is possible (http_lean.h); headers
                          // that repeat parts of the message are left out
} jrpc_manner;

#endif
