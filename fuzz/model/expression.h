// Regular expressions of ASCII characters, brackets and quantifiers, matched by trying everything.
#ifndef JRPC_FUZZ_MODEL_EXPRESSION_H
#define JRPC_FUZZ_MODEL_EXPRESSION_H

#include "reference/base/slice.h"

#include <stdbool.h>

// Longer expressions and texts are not looked into.
#define EXPRESSION_MOST 40

typedef enum expression_found {
    EXPRESSION_FOUND,
    EXPRESSION_NOT_FOUND,
    EXPRESSION_UNKNOWN, // the model has no opinion on it, or it is too much work
} expression_found;

// Whether the expression matches anywhere in the text.
expression_found expression_find(jrpc_slice spelled, jrpc_slice text);

#endif
