// JSON values of every kind, and at every boundary where readers of JSON are known to go wrong.
#ifndef JCK_GENERATE_VALUES_H
#define JCK_GENERATE_VALUES_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"

#include <stdbool.h>

// Each appends one value to `out` (its `failed` says whether there was room).

// Any value; containers hold containers at most `depth` deep.
void jck_value_any(jrpc_random *random, unsigned depth, jrpc_buffer *out);
// A value that every reader of JSON takes and gives back unchanged: no Number beyond a double's
// reach, no U+0000, no lone surrogate, no member twice.
void jck_value_plain(jrpc_random *random, unsigned depth, jrpc_buffer *out);
// A String of that kind.
void jck_value_text(jrpc_random *random, jrpc_buffer *out);
// What may be an id: a String, a Number or null. `plain`: as above.
void jck_value_id(jrpc_random *random, bool plain, jrpc_buffer *out);
// An integer that 31 bits hold.
void jck_value_small(jrpc_random *random, jrpc_buffer *out);
// A name of a member, without quotes: number `index`, in a circle, of those that trip readers up.
const char *jck_value_name(size_t index);
// A size: small ones mostly, and the powers of two with their neighbours, at most `most`.
size_t jck_value_size(jrpc_random *random, size_t most);

#endif
