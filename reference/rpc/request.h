// A Request about to be written: its members as JSON spellings, the counterpart of response.h.
#ifndef JRPC_RPC_REQUEST_H
#define JRPC_RPC_REQUEST_H

#include "reference/base/buffer.h"
#include "reference/base/slice.h"

#include <stdbool.h>

// Every member is a JSON spelling; an empty slice leaves the member out (section 4: without an id
// it is a notification, and params may be omitted).
typedef struct jrpc_request {
    jrpc_slice version; // "\"2.0\"", with its quotes
    jrpc_slice method;
    jrpc_slice params;
    jrpc_slice id;
} jrpc_request;

// Appends the Request to `out` (members in the order of section 7: jsonrpc, method, params, id).
// False when the buffer is full.
bool jrpc_request_write(jrpc_buffer *out, const jrpc_request *request);

#endif
