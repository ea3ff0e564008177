#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define FUZZ_ADDRESS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUZZ_ADDRESS
#endif
#endif

#ifdef FUZZ_ADDRESS
// Asked by AddressSanitizer at its start; ASAN_OPTIONS of the environment go before it. What was
// freed is kept from use for a while, and an execution frees little, some 30 KB: with the usual
// 256 MB every block is a page that was never touched, which takes half the time of small inputs,
// and what does not stay in the processor's cache takes a tenth of it. Whole stacks of allocations,
// for a report: ASAN_OPTIONS=malloc_context_size=30.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=1:thread_local_quarantine_size_kb=128:malloc_context_size=4";
}
#endif

bool fuzz_every_claim;

_Noreturn void fuzz_fail(const char *file, int line, const char *claim)
{
    (void)fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, claim);
    abort();
}

// FNV-1a; its upper half, which depends on every byte.
static uint32_t hash(jrpc_slice text)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < text.len; i++) {
        sum = (sum ^ (unsigned char)text.ptr[i]) * 16777619u;
    }
    return sum >> 16;
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
    input.turn = hash(input.text) + (uint32_t)(fuzz_input_seed(&input) % 65521);
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

bool fuzz_turn(const fuzz_input *input, unsigned which, unsigned count)
{
    static bool asked;
    if (!asked) {
        asked = true;
        fuzz_every_claim = fuzz_every_claim || getenv("JRPC_FUZZ_EVERY_CLAIM") != NULL;
    }
    return fuzz_every_claim || input->turn % count == which;
}
