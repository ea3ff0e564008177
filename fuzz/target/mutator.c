// The mutator is bounded and gives the same for the same seed, on any bytes.
#include "fuzz/mutator/mutator.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>

static void require_mutation(const uint8_t *data, size_t size, size_t room, uint64_t seed)
{
    uint8_t *one = malloc(room == 0 ? 1 : room);
    uint8_t *two = malloc(room == 0 ? 1 : room);
    FUZZ_REQUIRE(one != NULL && two != NULL);
    memcpy(one, data, size);
    memcpy(two, data, size);
    size_t len = mutator_mutate(one, size, room, seed);
    FUZZ_REQUIRE(len <= room);
    FUZZ_REQUIRE(mutator_mutate(two, size, room, seed) == len);
    FUZZ_REQUIRE(memcmp(one, two, len) == 0);
    FUZZ_REQUIRE(mutator_cross(data, size, one, len, two, room, seed) <= room);
    free(two);
    free(one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    static const size_t rooms[] = {0, 64, 4096};
    for (unsigned i = 0; i < 24; i++) {
        if (fuzz_turn(&input, i, 24)) {
            require_mutation(data, size, size + rooms[i % 3], fuzz_input_seed(&input) + i);
        }
    }
    return 0;
}
