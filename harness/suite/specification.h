// A file of the catalogue as a whole: which specification it covers, which others it builds on, and
// which of their rules play which role.
#ifndef JCK_SUITE_SPECIFICATION_H
#define JCK_SUITE_SPECIFICATION_H

#include "harness/suite/rule.h"

// The form that a specification prescribes for Responses.
typedef enum jck_dialect {
    JCK_DIALECT_2_0,
    JCK_DIALECT_EITHER, // the request had no `jsonrpc`: an answer in the form of 1.0 is right
    JCK_DIALECT_1_0,    // `result` and `error` always present, no `jsonrpc`
} jck_dialect;

typedef struct jck_specification {
    jrpc_slice name;
    jck_dialect dialect;
    const jrpc_slice *builds_on; // specifications whose rules apply where it has none of its own
    size_t builds_on_count;
    const char *file;
    // The rule for each role: its own, else that of the first specification it builds on which has
    // one, else NULL.
    const jck_rule *roles[JCK_ROLE_COUNT];
    bool fills[JCK_ROLE_COUNT]; // … and the rule is its own
} jck_specification;

#endif
