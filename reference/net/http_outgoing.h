// A message on its way out over HTTP: what of its manner becomes options of the library.
// Private to this room.
#ifndef JRPC_NET_HTTP_OUTGOING_H
#define JRPC_NET_HTTP_OUTGOING_H

#include "reference/net/http_private.h"

// A message that waits for its exchange: exchanges follow one another, as on any connection.
typedef struct jrpc_http_outgoing {
    struct jrpc_http_outgoing *next;
    jrpc_manner manner; // its strings are borrowed from whoever sends: constants and case files
    size_t len;
    size_t sent; // of a chunked body
    bool again;  // over a new connection, as the server had closed the one before
    char payload[];
} jrpc_http_outgoing;

// Adds a message to the end of a list. False with MEMORY.
bool jrpc_http_outgoing_add(jrpc_http_outgoing **first, jrpc_slice payload,
                            const jrpc_manner *manner, const jrpc_allocator *allocator,
                            jrpc_error *error);
// Removes the first message from a list.
void jrpc_http_outgoing_drop(jrpc_http_outgoing **first, const jrpc_allocator *allocator);
// Makes the message the request of `easy`, with the headers that it keeps borrowed: *headers is
// replaced. False with LIMIT or MEMORY.
bool jrpc_http_outgoing_set(jrpc_http_outgoing *message, CURL *easy, const jrpc_endpoint *endpoint,
                            struct curl_slist **headers, jrpc_error *error);
// The CURLOPT_READFUNCTION of a chunked body: what one call returns goes out as one chunk.
size_t jrpc_http_outgoing_chunk(char *room, size_t size, size_t count, void *context);
// The CURLOPT_SEEKFUNCTION of a chunked body. libcurl needs it to send the body again if the server
// has closed the idle connection, which is allowed (RFC 9112, section 9.3.1).
int jrpc_http_outgoing_rewind(void *context, curl_off_t offset, int origin);

#endif
