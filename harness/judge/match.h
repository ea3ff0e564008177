// Does a value match a pattern? Patterns are JSON in which an Object with one member "$…" is a
// matcher and the String "${x}" is a variable:
//   {"$type":"string"} {"$range":[lo,hi]} {"$in":[…]} {"$absent":true} {"$contains":…} {"$each":…}
//   {"$any":true} {"$all":[…]} {"$not":…} {"$chars":"A-Z0-9_"} {"$length":[lo,hi]}
//   {"$unique":POINTER} {"$somewhere":…}
//   {"$json-schema":true} {"$fits":REFERENCE} {"$printed":REFERENCE} {"$openrpc":PART}
// References ("#/methods/0/result/schema") lead into the description of the service;
// {"$fits":"${x}"} takes the schema that was captured. Everything else must be exactly equal, as
// json/equal.h defines it.
#ifndef JCK_JUDGE_MATCH_H
#define JCK_JUDGE_MATCH_H

#include "harness/suite/case.h"
#include "reference/base/arena.h"
#include "reference/json/value.h"

#include <stdbool.h>

typedef struct jck_matching {
    jck_resolve resolve; // the variables
    void *context;
    jrpc_arena *arena;     // for values of variables; if it failed, no result of matching is valid
    jrpc_json description; // of the service, for $fits and $printed; ABSENT: none
} jck_matching;

// Whether `value` (may be ABSENT) matches `pattern`. Objects in patterns are exact: every member
// must match, and no others are allowed. Never fails.
bool jck_match(const jck_matching *matching, jrpc_json pattern, jrpc_json value);
// The same, but a top-level Object pattern only requires the members that it names.
bool jck_match_subset(const jck_matching *matching, jrpc_json pattern, jrpc_json value);
// Whether a message has every member that the pattern of a `receive` names (ignoring "$times",
// "$rising" and "$rule").
bool jck_match_message(const jck_matching *matching, jrpc_json pattern, jrpc_json message);
// Whether a pattern is a matcher: an Object whose only member has a name that begins with '$' and
// is not a variable. If so, *ret_name and *ret_argument are that member.
bool jck_is_matcher(jrpc_json pattern, jrpc_json *ret_name, jrpc_json *ret_argument);
// Why a value does not match a pattern, in the arena. NULL if it matches, or if the pattern itself
// shows the reason, as all but $fits and $openrpc do.
const char *jck_matching_reason(const jck_matching *matching, jrpc_json pattern, jrpc_json value);
// The value that a pattern stands for: that of its variable, the one that $printed refers to, or
// the pattern itself.
jrpc_json jck_pattern_value(const jck_matching *matching, jrpc_json pattern);

#endif
