// Reads members of an event as reports do: one that is missing or of another kind counts as empty.
#ifndef JRPC_FUZZ_MODEL_MEMBER_H
#define JRPC_FUZZ_MODEL_MEMBER_H

#include "fuzz/model/tree.h"

#include <stdint.h>

// The last member of that name; NULL if there is none, or the value is not an Object.
const tree *member_get(const tree *object, const char *name);
// The content of a String; empty for anything else.
jrpc_slice member_text(const tree *value);
bool member_is_true(const tree *value);
// The number of elements of an Array; 0 for anything else.
size_t member_count(const tree *array);
// Whether a value reads as this number: `otherwise` if it is not a Number. Also true if the
// Number is long or has a fraction or an exponent, since this model does not read those.
bool member_is_number(const tree *value, int64_t got, int64_t otherwise);
// The same for sizes; a number below 0 counts as 0.
bool member_is_size(const tree *value, size_t got);

#endif
