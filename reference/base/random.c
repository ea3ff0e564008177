#include "reference/base/random.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void jrpc_random_init(jrpc_random *random, uint64_t seed)
{
    for (size_t i = 0; i < 4; i++) {
        random->state[i] = splitmix64(&seed);
    }
}

static uint64_t rotate_left(uint64_t x, unsigned by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t jrpc_random_next(jrpc_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t jrpc_random_below(jrpc_random *random, uint64_t bound)
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

uint64_t jrpc_random_seed(void)
{
    uint64_t seed = 0;
    int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got = source < 0 ? -1 : read(source, &seed, sizeof seed);
    if (source >= 0) {
        (void)close(source);
    }
    if (got != (ssize_t)sizeof seed) {
        // No randomness to be had: a seed need only differ from run to run.
        struct timespec now = {0, 0};
        (void)clock_gettime(CLOCK_REALTIME, &now);
        seed = (uint64_t)now.tv_sec * UINT64_C(1000000007) ^ (uint64_t)now.tv_nsec ^
               (uint64_t)getpid() << 32;
    }
    return seed;
}
