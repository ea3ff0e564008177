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

static inline uint64_t jrpc_random_rotate(uint64_t x, unsigned by)
{
    return (x << by) | (x >> (64 - by));
}

static inline uint64_t jrpc_random_next(jrpc_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = jrpc_random_rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = jrpc_random_rotate(s[3], 45);
    return result;
}

// Uniform in 0 … bound-1; bound 0 gives 0. Inline, because a bound is mostly a constant, and a
// division by a constant costs little.
static inline uint64_t jrpc_random_below(jrpc_random *random, uint64_t bound)
{
    if (bound == 0) {
        return 0;
    }
    // The lowest 2^64 mod bound values are drawn again, so that every rest is equally likely. They
    // are less than the bound, so that hardly ever more than one division is needed.
    uint64_t drawn;
    do {
        drawn = jrpc_random_next(random);
    } while (drawn < bound && drawn < (UINT64_MAX - bound + 1) % bound);
    return drawn % bound;
}

// One of the elements of an array.
#define JRPC_RANDOM_PICK(random, array)                                                            \
    ((array)[jrpc_random_below((random), sizeof(array) / sizeof *(array))])
// A seed from the operating system.
uint64_t jrpc_random_seed(void);

#endif
