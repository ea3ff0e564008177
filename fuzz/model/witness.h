// The matchers of cases turned round: a value that a pattern asks for, written from the manual
// (cases/README.md) and apart from the matcher that it is the oracle of.
#ifndef JRPC_FUZZ_MODEL_WITNESS_H
#define JRPC_FUZZ_MODEL_WITNESS_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

// Gives the spelling of a variable, as the harness does.
typedef bool witness_resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling);

// Appends a small value that the pattern matches. False where it knows none, or where the pattern
// asks for nothing at all ({"$absent": true}).
bool witness_put(jrpc_json pattern, witness_resolve *resolve, void *context, jrpc_buffer *out);
// Whether a pattern asks that the member it stands for is not there.
bool witness_is_absence(jrpc_json pattern);
// Whether any value will do.
bool witness_is_anything(jrpc_json pattern);

#endif
