// JSON values of every kind, and at every boundary where JSON readers are known to fail.
#ifndef JCK_GENERATE_VALUES_H
#define JCK_GENERATE_VALUES_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"

#include <stdbool.h>

// Each appends one value to `out` (its `failed` says whether there was room).

// Any value; containers are nested at most `depth` deep.
void jck_value_any(jrpc_random *random, unsigned depth, jrpc_buffer *out);
// A value that every JSON reader accepts and returns unchanged: no Number beyond the range of a
// double, no U+0000, no lone surrogate, no duplicate member.
void jck_value_plain(jrpc_random *random, unsigned depth, jrpc_buffer *out);
// A String of that kind.
void jck_value_text(jrpc_random *random, jrpc_buffer *out);
// A value that may be an id: a String, a Number or null. `plain`: as above.
void jck_value_id(jrpc_random *random, bool plain, jrpc_buffer *out);
// An integer that fits in 31 bits.
void jck_value_small(jrpc_random *random, jrpc_buffer *out);
// A member name, without quotes: number `index` (wrapping around) of those that readers stumble
// over.
const char *jck_value_name(size_t index);
// A size: mostly a small one, or a power of two or one of its neighbours; at most `most`.
size_t jck_value_size(jrpc_random *random, size_t most);

#endif
