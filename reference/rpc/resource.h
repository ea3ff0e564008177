// The structured members of RO-JRPC 1.0: what a message says beside its method, and which of the
// rules of sections 4, 6 and 9 it breaks.
//
// Readings, where the text leaves room, are stated here and nowhere else:
// - A member that is there with a value of another type is wrong, null included (section 4.2).
// - `target` alone, without `resource` and `verb`, is not a mistake: no sentence forbids it.
// - A name with a dot can be read two ways, so it is refused even where the names joined by dots
//   are the method.
// - `yield` and `return` are the verbs of result messages and of nothing else (section 19): a call
//   of them is refused on both sides.
// - `cache` on a request is a hint; a value that is not understood changes nothing. `meta` is never
//   read (section 15).
// - Of duplicate members the last counts, as everywhere.
#ifndef JRPC_RPC_RESOURCE_H
#define JRPC_RPC_RESOURCE_H

#include "reference/rpc/message.h"

// The members; JRPC_JSON_ABSENT where there is none. Handles into the message's document.
typedef struct jrpc_resource {
    jrpc_json resource;    // String: the logical entity
    jrpc_json subresource; // String: an entity that the resource owns
    jrpc_json verb;        // String
    jrpc_json target;      // String or Number: one instance of the resource, or of the subresource
    jrpc_json parent;      // String or Number: the instance of the resource that owns the target
    jrpc_json cache;       // on a request: the String "no-cache"; on a Response: an Object
    jrpc_json request_id;  // on a result message: the id of the call it belongs to
    jrpc_json result;      // on a result message
    bool structured;       // one of the first five is there
} jrpc_resource;

typedef enum jrpc_resource_reason {
    JRPC_RESOURCE_VALID,
    JRPC_RESOURCE_TYPE,               // section 4.2, as all down to PARENT_TYPE
    JRPC_RESOURCE_VERB_TYPE,          //
    JRPC_RESOURCE_SUBRESOURCE_TYPE,   //
    JRPC_RESOURCE_TARGET_TYPE,        //
    JRPC_RESOURCE_PARENT_TYPE,        //
    JRPC_RESOURCE_WITHOUT_VERB,       // section 4.2
    JRPC_RESOURCE_VERB_ALONE,         // section 4.2
    JRPC_RESOURCE_SUBRESOURCE_ALONE,  // section 6
    JRPC_RESOURCE_PARENT_ALONE,       // section 6
    JRPC_RESOURCE_PARENT_WITHOUT_SUB, // section 6
    JRPC_RESOURCE_MISMATCH,           // section 9
    JRPC_RESOURCE_DOT,
    JRPC_RESOURCE_RESERVED_VERB, // section 19
} jrpc_resource_reason;

// Reads the structured members of a message in one pass. Total: what is not an Object has none.
jrpc_resource jrpc_resource_read(jrpc_json message);

// Checks them against each other and against `method`, the decoded content of the message's method.
// The first broken rule in the order of the enum; never RESERVED_VERB, which depends on the kind of
// the message. Allocates nothing.
jrpc_resource_reason jrpc_resource_check(const jrpc_resource *fields, jrpc_slice method);

// One sentence for a reason, such as "`verb` is missing beside `resource`". Constant.
const char *jrpc_resource_reason_text(jrpc_resource_reason reason);

// Whether a verb is yield or return.
bool jrpc_resource_verb_is_reserved(jrpc_slice verb);

// `status` in the result of a result message (section 19).
typedef enum jrpc_status {
    JRPC_STATUS_NONE,     // the result is not an Object or has no status
    JRPC_STATUS_ACCEPTED, // received and queued
    JRPC_STATUS_PENDING,  // in progress
    JRPC_STATUS_DONE,     // completed; no more messages
    JRPC_STATUS_ERROR,    // failed; no more messages
    JRPC_STATUS_UNKNOWN,  // anything else
} jrpc_status;

jrpc_status jrpc_status_of(jrpc_json result);
// The word of a status; NULL for NONE and UNKNOWN. Constant.
const char *jrpc_status_word(jrpc_status status);

#endif
