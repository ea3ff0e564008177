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
