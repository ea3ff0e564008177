// The catalogue of rules: every testable statement of every specification in scope.
#ifndef JCK_SUITE_RULE_H
#define JCK_SUITE_RULE_H

#include "harness/suite/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How strongly a sentence binds the server: "M", "S", "O" in files, MUST, SHOULD, OBSERVE in
// events.
typedef enum jck_level {
    JCK_LEVEL_OBSERVE,
    JCK_LEVEL_SHOULD,
    JCK_LEVEL_MUST,
} jck_level;

const char *jck_level_name(jck_level level); // "MUST", …

// Parts that rules play for the judge, a bit each (role.h).
#define JCK_ROLE_WORDS 2
typedef struct jck_role_set {
    uint64_t words[JCK_ROLE_WORDS];
} jck_role_set;

// One rule. Text is owned by the suite it was loaded into; empty slices where the file says
// nothing.
typedef struct jck_rule {
    jrpc_slice id;
    jck_level level;
    jrpc_slice specification; // "jsonrpc-2.0"
    jrpc_slice section;
    jrpc_slice title;
    jrpc_slice sentence;
    jrpc_slice source;
    jrpc_slice note;
    jck_role_set roles;          // the parts it plays for the judge
    unsigned topics;             // what it is about, a bit each (role.h)
    bool departs;                // from JSON-RPC 2.0: what that owes is not what is expected
    jck_span span;               // the revisions of the specification that have it
    bool lenient;                // binds the sender: accepting what it forbids is a warning
    const jrpc_slice *stands_on; // rules this one stands on: blocked while one of them is broken
    size_t stands_on_count;
    const jrpc_slice *classes; // of what parsers do: those that break this rule (parser/class.h)
    size_t class_count;
    jrpc_slice ground;     // the case that says whether this rule is broken for those above it
    jrpc_slice untestable; // why there is no case
    jrpc_slice client;     // why: it binds clients
    jrpc_slice judge;      // why: the judge checks it on every Response, or it binds the judge
    bool profiled;         // a profile has set the level: it holds whatever a case says
    bool off;              // a profile has taken the rule out: nothing is held against it
    const char *file;
    size_t line;
} jck_rule;

#endif
