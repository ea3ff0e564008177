// The first words with an adapter, before any case: whether it keeps to the protocol at all.
#ifndef JCK_PARSER_GREET_H
#define JCK_PARSER_GREET_H

#include "harness/parser/adapter.h"

typedef enum jck_greeting {
    JCK_GREETING_FINE,
    JCK_GREETING_UNOPENED, // it cannot be started, or ends, or talks something else: *error
    JCK_GREETING_MUTE,     // it answers nothing: *error
    JCK_GREETING_INTERRUPTED,
    JCK_GREETING_FAULT,
} jck_greeting;

// Asks texts that every parser knows, one of them no JSON, and hears the process out. What is wrong
// there would be wrong for every case, so it is reported once.
jck_greeting jck_parser_greet(jck_adapter *adapter, bool each, jrpc_error *error);

#endif
