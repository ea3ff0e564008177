// The first exchange with an adapter, before any case: whether it follows the protocol at all.
#ifndef JCK_PARSER_GREET_H
#define JCK_PARSER_GREET_H

#include "harness/parser/adapter.h"

typedef enum jck_greeting {
    JCK_GREETING_FINE,
    JCK_GREETING_UNOPENED, // it cannot be started, ends, or does not speak the protocol: *error
    JCK_GREETING_MUTE,     // it does not answer: *error
    JCK_GREETING_INTERRUPTED,
    JCK_GREETING_FAULT,
} jck_greeting;

// Sends texts that every parser can handle, one of which is not JSON, and reads all output until
// the process ends. A mistake here would recur in every case, so it is reported once.
jck_greeting jck_parser_greet(jck_adapter *adapter, bool each, jrpc_error *error);

#endif
