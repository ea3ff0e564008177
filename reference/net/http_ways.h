// The ways in which requests are written by hand. Private to this room.
#ifndef JRPC_NET_HTTP_WAYS_H
#define JRPC_NET_HTTP_WAYS_H

#include "reference/net/http_chunking.h"
#include "reference/net/http_private.h"

// How a request is written and its connection read, in each of the ways.
typedef struct jrpc_http_way jrpc_http_way;
struct jrpc_http_way {
    jrpc_http_opening opening;
    const char *line;                 // one or more additional header fields; NULL: none
    const jrpc_http_chunking *chunks; // NULL: the body has a length
    bool by_line;                     // each line of the message is a request
    const jrpc_http_way *then; // … that waits for the answer before, and how all but the first go
    bool pieces;               // the body goes out in two parts
    int times;                 // how often the request is sent; 0: once
    bool announces_less;       // a second Content-Length, one byte less than the first
    bool bodyless;             // neither the request nor its answer has a body
    bool until_end;            // the server must close after the answer
    bool refusable;            // the server must refuse it because of its head
    const char *before;        // what comes before the request line; NULL: nothing
    const char *padding; // between the colons of header fields and their values; NULL: a space
};

// The way that a manner names; a constant.
const jrpc_http_way *jrpc_http_way_of(jrpc_bytes bytes);

#endif
