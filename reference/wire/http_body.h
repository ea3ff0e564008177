// Where the body of an HTTP/1.1 message ends (RFC 9112, section 6), for whoever reads the bytes by
// hand. No I/O.
#ifndef JRPC_WIRE_HTTP_BODY_H
#define JRPC_WIRE_HTTP_BODY_H

#include "reference/base/buffer.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stddef.h>

// What stands behind a head.
typedef struct jrpc_http_body {
    size_t used;     // bytes of `rest` that belong to the message
    bool chunked;    // it came in chunks
    bool extensions; // … of which one had an extension (section 7.1.1)
    size_t trailer;  // … of which so many are the trailer fields (section 7.1.2), if any
} jrpc_http_body;

// Reads the body of the message with this head (its empty line included) from the bytes that came
// after it, and appends its content to `content`, which is empty. `endless`: a message that says no
// length goes on until the connection ends, as an answer does; else it has no body. `ended`: no
// more bytes will come. MORE when bytes are missing, BAD when they are no body, or without memory.
jrpc_decoded jrpc_http_body_read(jrpc_slice head, jrpc_slice rest, bool endless, bool ended,
                                 jrpc_buffer *content, jrpc_http_body *ret_body);

#endif
