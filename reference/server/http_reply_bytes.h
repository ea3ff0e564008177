// The bytes of HTTP answers from the server that uses no HTTP library. Its faults are in bytes that
// a library would write.
#ifndef JRPC_SERVER_HTTP_REPLY_BYTES_H
#define JRPC_SERVER_HTTP_REPLY_BYTES_H

#include "reference/server/fault.h"
#include "reference/server/http.h"

typedef struct jrpc_http_reply_bytes {
    jrpc_http_bytes_fault fault;
    bool chunks;   // the body comes in chunks
    bool bodyless; // the head alone is written
} jrpc_http_reply_bytes;

// Appends the answer to `out`; without memory not all of it.
void jrpc_http_reply_write(const jrpc_http_reply *reply, jrpc_http_reply_bytes how,
                           jrpc_buffer *out);

#endif
