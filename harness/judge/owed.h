// What a receiver owes for the bytes that were sent to it. Lint, judge and fuzzers use it alike.
#ifndef JCK_JUDGE_OWED_H
#define JCK_JUDGE_OWED_H

#include "harness/suite/rule.h"
#include "reference/base/arena.h"
#include "reference/json/value.h"
#include "reference/rpc/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum jck_owed_kind {
    JCK_OWED_NOTHING,  // a notification, a Response, a batch of nothing else
    JCK_OWED_RESPONSE, // one Response object
    JCK_OWED_BATCH,    // one Array of Responses
    JCK_OWED_UNKNOWN,  // not a single message (raw bytes, a part of one): nothing is derived
} jck_owed_kind;

typedef struct jck_owed {
    jck_owed_kind kind;
    jrpc_input_kind input;
    jrpc_message message; // when input is SINGLE
    int code;             // the error code that is owed; 0: the method decides
    bool id_sent;         // the message carries an id that a Response can echo
    jrpc_json id;         // that id
    bool absent;          // a call of the absent method, single or somewhere in the batch
    size_t calls;         // batch: elements that are owed a Response
    size_t notifications; // batch: elements that are valid notifications
    jrpc_json batch;      // when input is BATCH: the Array
    bool starved;         // UNKNOWN because memory ran out
} jck_owed;

// Derives what is owed for `sent` (the payload without framing). `document` is the caller's,
// initialized; what is returned points into it and into `sent`. `absent` is the name of the method
// that does not exist, as a JSON spelling. Total: there is a result for every payload; without
// memory it is UNKNOWN.
jck_owed jck_owed_for(jrpc_slice sent, jrpc_slice absent, jrpc_json_document *document);
// The role of the rule that says what this error code is for; JCK_ROLE_NONE if there is none.
jck_role jck_owed_code_role(int code);

#endif
