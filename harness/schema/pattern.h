// Regular expressions of ECMA 262, as `pattern` of JSON Schema has them, by those of POSIX.
#ifndef JCK_SCHEMA_PATTERN_H
#define JCK_SCHEMA_PATTERN_H

#include "reference/base/slice.h"

typedef enum jck_found {
    JCK_FOUND_NOT,
    JCK_FOUND,
    JCK_FOUND_UNSURE, // the pattern or the text has something that is not understood here
} jck_found;

// Whether the pattern matches somewhere in `text`. UNSURE for what POSIX does not have
// (look-around, lazy quantifiers, back references, Unicode classes), for what costs too much, and
// for text that is not ASCII.
jck_found jck_pattern_find(jrpc_slice pattern, jrpc_slice text);

#endif
