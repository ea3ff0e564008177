// Memory that runs out: an allocator whose n-th allocation fails, alone or with all that follow,
// and which knows how many blocks nobody has given back.
#ifndef JRPC_FUZZ_STARVE_H
#define JRPC_FUZZ_STARVE_H

#include "reference/base/allocator.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct fuzz_starve {
    jrpc_allocator allocator;
    size_t asked;    // allocations and resizes so far
    size_t fails_at; // this one fails, counted from 0
    bool once;       // and no later one
    size_t live;     // blocks
} fuzz_starve;

// Initializes caller's storage, which does not move while it is used.
void fuzz_starve_init(fuzz_starve *starve, size_t fails_at, bool once);

// Whether an allocation has failed.
bool fuzz_starve_failed(const fuzz_starve *starve);

#endif
