// How a capability is called on a target whose method wraps it, as `tools/call` of MCP does: a
// template into which the params of a case go, and where the result stands in what comes back.
#ifndef JCK_SUITE_CALL_H
#define JCK_SUITE_CALL_H

#include "harness/suite/case.h"
#include "reference/json/value.h"

typedef struct jck_call {
    // What goes out as params: the String "${params}" in it is replaced with the params of the
    // case, "${params/POINTER}" with a part of them; a member or an element whose part is not there
    // is left out. ABSENT: the params go out as they are.
    jrpc_json params;
    // Object: the case's name of a param → the method's. ABSENT: names stay.
    jrpc_json names;
    jrpc_slice result; // a JSON Pointer into the result; "": all of it
    bool in_text;      // what it leads to is a String that holds the result as JSON
} jck_call;

// Gives how a capability is called, NULL: as any method.
typedef const jck_call *(*jck_call_of)(void *context, jrpc_slice capability);

// Whether `token`, a JSON String, is "${params}" or "${params/POINTER}"; *ret_pointer is what
// follows "params".
bool jck_is_params_variable(jrpc_json token, jrpc_slice *ret_pointer);
// The capability that a message of a payload calls, with the way it is called: `method` must be
// exactly its variable, and `params`, if any, an Array or an Object. NULL for any other message.
const jck_call *jck_call_in(jrpc_json message, jck_call_of call_of, void *context);

// Whether a payload mentions a capability that `call_of` knows a way for where it cannot be called
// so: in text that is spelled byte by byte, in a message with two methods or with params that are
// neither an Array nor an Object.
bool jck_call_is_spelled_out(const jck_payload *payload, jck_call_of call_of, void *context);
// The same as jck_payload_expand, with every message that `call_of` knows a way for written so.
// Only payloads that are JSON are; of the others the capability's name alone is known.
bool jck_call_expand(const jck_payload *payload, jck_resolve resolve, jck_call_of call_of,
                     void *context, jrpc_buffer *out, jrpc_error *error);

#endif
