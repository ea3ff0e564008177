// Classification: what a text is in JSON-RPC 2.0, and what its receiver owes for it.
//
// Total over all bytes: every text gets a class. Readings, where the specification leaves room, are
// stated here and nowhere else:
// - A request whose `id` is present is a call, also when the id is null (section 4: a notification
//   is a request *without* an id member).
// - An invalid message is owed -32600 with its id where that is a String, a Number or null, else
//   with null (section 5). Without an id member it is owed the same with null (section 7,
//   `"method": 1`).
// - An object with `result` or `error` and no `method` is a Response; a server owes it nothing.
// - An object with `method`, `result`, no `id`, and the verb yield or return is a result message of
//   RO-JRPC.
// - Of duplicate members the last counts. Names match case-sensitively (section 2).
#ifndef JRPC_RPC_MESSAGE_H
#define JRPC_RPC_MESSAGE_H

#include "reference/base/error.h"
#include "reference/json/value.h"

#include <stdint.h>

// The error codes of section 5.1.
enum {
    JRPC_PARSE_ERROR = -32700,
    JRPC_INVALID_REQUEST = -32600,
    JRPC_METHOD_NOT_FOUND = -32601,
    JRPC_INVALID_PARAMS = -32602,
    JRPC_INTERNAL_ERROR = -32603,
    JRPC_SERVER_ERROR_FIRST = -32099,
    JRPC_SERVER_ERROR_LAST = -32000,
    JRPC_RESERVED_FIRST = -32768,
    JRPC_RESERVED_LAST = -32000,
};

// Whether the code is one that each server defines for itself.
static inline bool jrpc_code_is_of_server(int64_t code)
{
    return code >= JRPC_SERVER_ERROR_FIRST && code <= JRPC_SERVER_ERROR_LAST;
}

// Whether a server or a method may choose the code: it is an application's, or a server's own.
static inline bool jrpc_code_is_chosen(int64_t code)
{
    return code < JRPC_RESERVED_FIRST || code > JRPC_RESERVED_LAST || jrpc_code_is_of_server(code);
}

// Whether the code is reserved for future use: nobody may choose it, and it has no meaning yet.
static inline bool jrpc_code_is_undefined(int64_t code)
{
    return !jrpc_code_is_chosen(code) && code != JRPC_PARSE_ERROR &&
           (code > JRPC_INVALID_REQUEST || code < JRPC_INTERNAL_ERROR);
}

typedef enum jrpc_message_kind {
    JRPC_MESSAGE_INVALID,
    JRPC_MESSAGE_CALL,
    JRPC_MESSAGE_NOTIFICATION,
    JRPC_MESSAGE_RESPONSE,
    JRPC_MESSAGE_RESULT, // RO-JRPC: an asynchronous result, verb yield or return
} jrpc_message_kind;

typedef enum jrpc_invalid_reason {
    JRPC_VALID,
    JRPC_INVALID_NOT_OBJECT,
    JRPC_INVALID_VERSION_MISSING,
    JRPC_INVALID_VERSION,
    JRPC_INVALID_METHOD_MISSING,
    JRPC_INVALID_METHOD_TYPE,
    JRPC_INVALID_PARAMS_TYPE,
    JRPC_INVALID_ID_TYPE,
    JRPC_INVALID_RESPONSE, // a Response with both or neither of result and error, or no id
} jrpc_invalid_reason;

// One JSON value read as a message. Handles are into the document it came from.
typedef struct jrpc_message {
    jrpc_message_kind kind;
    jrpc_invalid_reason reason;                           // JRPC_VALID unless kind is INVALID
    jrpc_json value;                                      // the whole
    jrpc_json version, method, params, id, result, error; // JRPC_JSON_ABSENT where there is none
    bool reply_owed;                                      // a Response is owed
    int reply_code;     // the error code owed, 0 when the method decides
    jrpc_json reply_id; // the id the Response must carry; JRPC_JSON_ABSENT means null
} jrpc_message;

// Classifies one value (never a batch: an Array is INVALID_NOT_OBJECT here). Total.
jrpc_message jrpc_message_classify(jrpc_json value);
// One sentence for a reason, such as "`method` is not a String". Constant.
const char *jrpc_invalid_reason_text(jrpc_invalid_reason reason);

typedef enum jrpc_input_kind {
    JRPC_INPUT_PARSE_ERROR, // not JSON: one Response, -32700, id null
    JRPC_INPUT_SINGLE,
    JRPC_INPUT_BATCH,       // an Array of at least one element
    JRPC_INPUT_EMPTY_BATCH, // []: one Response, -32600, id null
} jrpc_input_kind;

// What a whole text is. Reads it into `document` (see jrpc_json_read for its life). LIMIT and
// MEMORY errors also give PARSE_ERROR; *error (may be NULL) tells them apart.
jrpc_input_kind jrpc_input_read(jrpc_json_document *document, jrpc_slice text, uint32_t max_depth,
                                jrpc_error *error);

#endif
