// Whether one decimal number is a multiple of another, exactly.
#ifndef JCK_SCHEMA_DECIMAL_H
#define JCK_SCHEMA_DECIMAL_H

#include "reference/base/slice.h"

typedef enum jck_multiple {
    JCK_MULTIPLE_NOT,
    JCK_MULTIPLE_IS,
    JCK_MULTIPLE_UNSURE, // they have too many digits to tell
} jck_multiple;

// Both are valid spellings of JSON numbers, `of` is not zero.
jck_multiple jck_is_multiple(jrpc_slice number, jrpc_slice of);

#endif
