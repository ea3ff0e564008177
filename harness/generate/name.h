// Names of methods that do not exist.
#ifndef JCK_GENERATE_NAME_H
#define JCK_GENERATE_NAME_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/base/slice.h"

// All names are JSON spellings with quotes; new ones are appended to `out`. `absent`: the name of a
// method that does not exist and that nobody could guess.

// The absent name, or one that begins with it, of about `most` bytes at most.
void jck_name_absent(jrpc_slice absent, size_t most, jrpc_random *random, jrpc_buffer *out);
// A prefix that some protocols give a meaning; NULL past the last. The absent name may have one.
const char *jck_name_prefix(size_t index);
// Whether every object of some language has a member with this name, which is given without quotes,
// and nobody would call a method so: only a careless lookup in a table of methods finds it.
bool jck_name_is_inherited(jrpc_slice name);
// A name that resembles that of a known method: a part of it, one with the absent name or a NUL
// character before or after it, or one with other capital letters; or one that objects inherit.
void jck_name_near(jrpc_slice known, jrpc_slice absent, jrpc_random *random, jrpc_buffer *out);

#endif
