// Bodies in chunks, in the forms that RFC 9112 allows. Private to this room.
#ifndef JRPC_NET_HTTP_CHUNKING_H
#define JRPC_NET_HTTP_CHUNKING_H

#include "reference/base/buffer.h"

// How a body is written in chunks.
typedef struct jrpc_http_chunking {
    bool padded;                  // sizes have leading zeros and capital letters
    const char *first_extension;  // … and what follows that of the first chunk
    const char *second_extension; // … and of the others
    size_t bytes;                 // of each chunk but the last; 0: two halves
    const char *end;              // the last chunk, and what follows it
} jrpc_http_chunking;

// Appends the body in chunks. False without memory.
bool jrpc_http_put_chunks(jrpc_buffer *out, const jrpc_http_chunking *chunking, jrpc_slice body);

#endif
