// What applies to every Response in any case: sections 5 and 5.1 of the specification, and strict
// JSON. Also what applies to every message that a server sends unasked.
#ifndef JCK_JUDGE_ENVELOPE_H
#define JCK_JUDGE_ENVELOPE_H

#include "harness/judge/finding.h"
#include "reference/json/value.h"

#include <stdbool.h>

typedef struct jck_envelope {
    jck_findings *findings;
    jck_dialect dialect;
    int step;
    jrpc_slice sent;      // what was sent: text repeated from it does not break 5.1c
    bool result_expected; // a call of a method that exists: a Response with neither result nor
                          // error breaks J2-5c
    bool unowed;          // no Response is expected: its id and a missing result are not checked
} jck_envelope;

// What kind of message a received JSON value is, by its members.
typedef enum jck_answer_kind {
    JCK_ANSWER_RESPONSE,   // an Object that is not a message of the server's own
    JCK_ANSWER_BATCH,      // an Array
    JCK_ANSWER_ORIGINATED, // `method`: a notification, request or result message of the server
    JCK_ANSWER_SCALAR,     // a JSON text that is neither Object nor Array
} jck_answer_kind;

jck_answer_kind jck_answer_kind_of(jrpc_json value);

// Checks one Response Object (or anything received instead of it) and adds findings.
void jck_envelope_check(const jck_envelope *envelope, jrpc_json response);
// Checks a message that the server sent unasked (PUSH-a).
void jck_envelope_check_originated(const jck_envelope *envelope, jrpc_json message);
// Whether the text reads like a stack trace.
bool jck_looks_like_trace(jrpc_slice text);

// Whether text that is not JSON was meant as a Response: it begins like an Object or an Array,
// possibly after a byte-order mark.
bool jck_claims_to_be_json(jrpc_slice text);
// Whether there is nothing but white space.
bool jck_is_blank(jrpc_slice text);

#endif
