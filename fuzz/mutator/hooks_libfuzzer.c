// libFuzzer's hooks: every third mutation is its own, by bytes and by its dictionary.
#include "fuzz/mutator/mutator.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_out_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (seed % 3 == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    return mutator_mutate(data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_out_size, unsigned seed)
{
    return mutator_cross(a, a_size, b, b_size, out, max_out_size, seed);
}
