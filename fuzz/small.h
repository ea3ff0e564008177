// A suite small enough to be looked at whole for every input, made of the one in fuzz/data.h.
#ifndef JRPC_FUZZ_SMALL_H
#define JRPC_FUZZ_SMALL_H

#include "harness/suite/load.h"

// Some cases of every suite, one of them expected to hurt, and the rules that they name. The same
// pointer on every call.
const jck_suite *fuzz_small_suite(void);

// A copy whose rules and cases may be changed, with an empty arena over `allocator` to be freed by
// jrpc_arena_done. Its places are used again eight copies later.
void fuzz_small_copy(jck_suite *ret, const jrpc_allocator *allocator);

#endif
