// The rules of a suite of cases that answers to generated messages are judged by.
#ifndef JCK_LIVE_RULES_H
#define JCK_LIVE_RULES_H

#include "harness/live/due.h"
#include "harness/suite/suite.h"

// Names of the rules that the derivation uses; empty if the catalogue has none for a role.
typedef struct jck_live_rules {
    jrpc_slice owed, parse, invalid, absent, silent, batch, survives;
    jrpc_slice by_position, by_name, precise_id;
    jrpc_slice batch_invalid, batch_nested; // batches with elements that are not valid Requests
    jrpc_slice batch_silent;                // batches of notifications
    jrpc_slice reserved, registered;        // names that no method has
    jrpc_slice empty_body;                  // of the transport HTTP
    jrpc_slice failure;                     // methods that fail
    jrpc_slice code, data;                  // … with the error that they were asked for
    jrpc_slice order, escapes, stateless, independent; // calls that are to be answered alike
    jrpc_slice effect, no_effect; // of notifications, and of messages that are not valid
} jck_live_rules;

// Finds them in a suite of cases ("jsonrpc-2.0").
jck_live_rules jck_live_rules_of(const jck_suite *suite, jrpc_slice folder);
// Whether that rule is a SHOULD for this message although it is a MUST for others: no sentence
// forbids a target to ignore white space around method names.
bool jck_live_is_lenient(const jck_due *due);
// The rule that a message is primarily about.
jrpc_slice jck_live_rule_for(const jck_live_rules *rules, const jck_due *due);

#endif
