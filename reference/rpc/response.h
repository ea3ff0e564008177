// A Response about to be written: its members as JSON spellings, so that whoever bends one (a fault
// table, a test) can bend each on its own, and the writer stays one straight line.
#ifndef JRPC_RPC_RESPONSE_H
#define JRPC_RPC_RESPONSE_H

#include "reference/base/buffer.h"
#include "reference/base/slice.h"

#include <stdbool.h>

// Every member is a JSON spelling; an empty slice leaves the member out.
typedef struct jrpc_response {
    jrpc_slice version; // "\"2.0\"", with its quotes
    jrpc_slice result;
    jrpc_slice error; // a whole error value; if empty it is made from the next three
    jrpc_slice code;
    jrpc_slice message;
    jrpc_slice data;
    jrpc_slice cache; // RO-JRPC 1.0, section 18: how long the result may be kept
    jrpc_slice id;
    jrpc_slice extra; // further members, `"name":value` joined by commas
    bool suppressed;  // write nothing at all
} jrpc_response;

// Appends the Response to `out` (members in the order of section 5: jsonrpc, result or error,
// cache, id, extra). False when the buffer is full.
bool jrpc_response_write(jrpc_buffer *out, const jrpc_response *response);

#endif
