// How a capability is called on a target whose method wraps it, as `tools/call` in MCP does: a
// template into which the params of a case go, and where the result is found in the response.
#ifndef JCK_SUITE_CALL_H
#define JCK_SUITE_CALL_H

#include "harness/suite/case.h"
#include "reference/json/value.h"

typedef struct jck_call {
    // The params to send: in it, the String "${params}" is replaced with the params of the case,
    // "${params/POINTER}" with a part of them; a member or an element is left out if the case lacks
    // that part. ABSENT: the case's params are sent unchanged.
    jrpc_json params;
    // Object: the case's name of a param → the method's. ABSENT: names are unchanged.
    jrpc_json names;
    jrpc_slice result; // a JSON Pointer into the result; "": all of it
    bool in_text;      // the value there is a String that holds the result as JSON
} jck_call;

// Returns how a capability is called; NULL: like any method.
typedef const jck_call *(*jck_call_of)(void *context, jrpc_slice capability);

// Whether `token`, a JSON String, is "${params}" or "${params/POINTER}"; *ret_pointer is what
// follows "params".
bool jck_is_params_variable(jrpc_json token, jrpc_slice *ret_pointer);
// The capability that a message of a payload calls, and how it is called: `method` must be exactly
// the capability's variable, and `params`, if present, an Array or an Object. NULL for any other
// message.
const jck_call *jck_call_in(jrpc_json message, jck_call_of call_of, void *context);

// Whether a payload mentions a capability that `call_of` wraps where it cannot be wrapped: in text
// that is spelled byte by byte, in a message with two methods, or in one whose params are neither
// an Array nor an Object.
bool jck_call_is_spelled_out(const jck_payload *payload, jck_call_of call_of, void *context);
// Like jck_payload_expand, but rewrites each message whose capability `call_of` wraps. Only JSON
// payloads are rewritten; in others just the capability's name is replaced.
bool jck_call_expand(const jck_payload *payload, jck_resolve resolve, jck_call_of call_of,
                     void *context, jrpc_buffer *out, jrpc_error *error);

#endif
