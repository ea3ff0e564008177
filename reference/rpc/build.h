// Building messages of RO-JRPC 1.0 from their parts: requests and result messages. The method is
// derived, so it cannot disagree; parts that cannot stand together are errors that say so.
//
// Names are content (UTF-8, no dot, not empty); values are JSON spellings, which are checked. An
// empty slice means that the part is not there.
#ifndef JRPC_RPC_BUILD_H
#define JRPC_RPC_BUILD_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/rpc/resource.h"

typedef struct jrpc_request_parts {
    jrpc_slice resource;    // content; required
    jrpc_slice subresource; // content
    jrpc_slice verb;        // content; required, neither yield nor return
    jrpc_slice target;      // spelling of a String or a Number
    jrpc_slice parent;      // the same; needs a subresource
    jrpc_slice params;      // spelling of an Array or an Object
    jrpc_slice cache;       // content: "no-cache"
    jrpc_slice id;          // spelling of a String, a Number or null; none: a notification
} jrpc_request_parts;

// Appends a request to `out`: jsonrpc, method, resource, parent, subresource, target, verb, params,
// cache, id, in the order of section 7. False with INVALID (one sentence that names the part) or
// LIMIT (`out` is full or memory is out); `out` is then as it was.
bool jrpc_build_request(jrpc_buffer *out, const jrpc_request_parts *parts, jrpc_error *error);

typedef struct jrpc_result_parts {
    jrpc_slice resource;    // content; required
    jrpc_slice subresource; // content
    jrpc_slice target;      // spelling of a String or a Number
    jrpc_slice parent;      // the same; needs a subresource
    bool final;             // the verb: return, else yield
    jrpc_status status;     // put into the result; NONE: whatever the result says
    jrpc_slice result;      // spelling; with a status: an Object without one, or nothing
    jrpc_slice request_id;  // spelling of a String, a Number or null; none for streams
} jrpc_result_parts;

// Appends a result message to `out` (section 19). A yield carries accepted or pending, a return
// done or error; a result without any status is allowed, since the section says SHOULD. Errors as
// above.
bool jrpc_build_result(jrpc_buffer *out, const jrpc_result_parts *parts, jrpc_error *error);

// Checks a name for registration or building: not empty, well-formed UTF-8, without a dot, and a
// resource is not "rpc", which section 8 of JSON-RPC 2.0 reserves. `what` is resource, subresource
// or verb. False with INVALID.
bool jrpc_build_check_name(const char *what, jrpc_slice name, jrpc_error *error);

#endif
