// Regular expressions of ECMA 262, as `pattern` of JSON Schema has them, by those of POSIX.
#ifndef JCK_SCHEMA_PATTERN_H
#define JCK_SCHEMA_PATTERN_H

#include "reference/base/slice.h"

typedef enum jck_found {
    JCK_FOUND_NOT,
    JCK_FOUND,
    JCK_FOUND_UNSURE, // the pattern, or the text, has something that is not understood here
} jck_found;

// Whether the pattern matches somewhere in `text`. What POSIX does not know (look-around, lazy
// quantifiers, references back, classes of Unicode), what costs too much, and texts beyond ASCII
// are UNSURE.
jck_found jck_pattern_find(jrpc_slice pattern, jrpc_slice text);

#endif
