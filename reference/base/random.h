// A small deterministic generator (splitmix64 seeding xoshiro256**), injected and seeded by hand so
// that every random run can be repeated from the seed it printed.
#ifndef JRPC_BASE_RANDOM_H
#define JRPC_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct jrpc_random {
    uint64_t state[4];
} jrpc_random;

void jrpc_random_init(jrpc_random *random, uint64_t seed);
uint64_t jrpc_random_next(jrpc_random *random);
// Uniform in 0 … bound-1; bound 0 gives 0.
uint64_t jrpc_random_below(jrpc_random *random, uint64_t bound);
// One of the elements of an array.
#define JRPC_RANDOM_PICK(random, array)                                                            \
    ((array)[jrpc_random_below((random), sizeof(array) / sizeof *(array))])
// A seed from the operating system.
uint64_t jrpc_random_seed(void);

#endif
