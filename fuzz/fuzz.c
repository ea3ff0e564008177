#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void fuzz_fail(const char *file, int line, const char *claim)
{
    (void)fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, claim);
    abort();
}

fuzz_input fuzz_input_of(const uint8_t *data, size_t size)
{
    fuzz_input input = {.text = {(const char *)data, size}};
    for (size_t behind = 0; behind <= FUZZ_OPTION_BYTES && behind < size; behind++) {
        size_t at = size - 1 - behind;
        if (data[at] != 0) {
            continue;
        }
        input.text.len = at;
        for (size_t i = 0; i < behind; i++) {
            input.options[i] = data[at + 1 + i];
        }
        break;
    }
    return input;
}

uint64_t fuzz_input_seed(const fuzz_input *input)
{
    uint64_t seed = 0;
    for (size_t i = 0; i < FUZZ_OPTION_BYTES; i++) {
        seed = seed << 8 | input->options[i];
    }
    return seed;
}

unsigned fuzz_input_way(const fuzz_input *input, unsigned ways)
{
    if (input->options[0] != 0) {
        return (input->options[0] - 1u) % ways;
    }
    // FNV-1a.
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < input->text.len; i++) {
        hash = (hash ^ (unsigned char)input->text.ptr[i]) * 16777619u;
    }
    return (hash >> 16) % ways;
}
