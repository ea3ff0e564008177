// What a receiver owes (must send) for the bytes that it gets. Lint, judge and fuzzers all use it.
#ifndef JCK_JUDGE_OWED_H
#define JCK_JUDGE_OWED_H

#include "harness/suite/rule.h"
#include "reference/base/arena.h"
#include "reference/json/value.h"
#include "reference/rpc/message.h"

#include <stdbool.h>
#include <stddef.h>

// Longer messages may be refused for their length.
#define JCK_SHORT_BYTES 4096

typedef enum jck_owed_kind {
    JCK_OWED_NOTHING,  // a notification, a Response, a batch of only these
    JCK_OWED_RESPONSE, // one Response object
    JCK_OWED_BATCH,    // one Array of Responses
    JCK_OWED_UNKNOWN,  // not a single message (raw bytes, a part of one): nothing is derived
} jck_owed_kind;

typedef struct jck_owed {
    jck_owed_kind kind;
    jrpc_input_kind input;
    jrpc_message message; // when input is SINGLE
    int code;             // the required error code; 0: it depends on the method
    bool id_sent;         // the message carries an id that a Response can echo
    jrpc_json id;         // that id
    bool absent;          // a call of the absent method, single or in the batch
    size_t calls;         // batch: elements that require a Response
    size_t notifications; // batch: elements that are valid notifications
    jrpc_json batch;      // when input is BATCH: the Array
    bool starved;         // UNKNOWN because out of memory
} jck_owed;

// Derives what is owed for `sent` (the payload without framing). `document` is the caller's,
// initialized; the result points into it and into `sent`. `absent` is the name of the method that
// does not exist, as a JSON spelling. There is a result for every payload; if out of memory it is
// UNKNOWN.
jck_owed jck_owed_for(jrpc_slice sent, jrpc_slice absent, jrpc_json_document *document);
// The role of the rule about this error code; JCK_ROLE_NONE if there is none.
jck_role jck_owed_code_role(int code);

// Kinds of messages that some targets leave unanswered although they owe an answer.
#define JCK_OWED_KINDS 16
// The kind of a message as one bit; 0 for a usual call, for a long message, and where nothing is
// owed.
uint32_t jck_owed_bit(jrpc_slice message);

#endif
