#include "fuzz/mutator/mutator.h"

#include "fuzz/fuzz.h"
#include "fuzz/mutator/tables.h"
#include "harness/generate/mutate.h"

// One for all: engines mutate in one thread, and a sanitizer's malloc would cost more than the
// change.
static jck_mutator current = {.edit.vocabulary = &mutator_tables};

// Options: a NUL and at most FUZZ_OPTION_BYTES bytes, changed in one of ten mutations.
static size_t change_options(uint8_t *options, size_t len, jrpc_random *random)
{
    if (jrpc_random_below(random, 10) != 0) {
        return len;
    }
    options[0] = 0;
    len = len == 0 ? 1 : len;
    if (len <= FUZZ_OPTION_BYTES && jrpc_random_below(random, 2) == 0) {
        options[len++] = 0;
    }
    if (len > 1) {
        // Never NUL: the options would end there.
        options[1 + jrpc_random_below(random, len - 1)] =
            (uint8_t)(1 + jrpc_random_below(random, 255));
        for (size_t i = 1; i < len; i++) {
            options[i] = options[i] == 0 ? 1 : options[i];
        }
    }
    return len;
}

size_t mutator_mutate(uint8_t *data, size_t size, size_t room, uint64_t seed)
{
    size_t text = fuzz_input_of(data, size).text.len;
    uint8_t options[FUZZ_OPTION_BYTES + 1] = {0};
    size_t option_len = size - text;
    if (option_len != 0) {
        memcpy(options, data + text, option_len);
    }
    text = jck_mutate(&current, data, text, room, seed);
    option_len = change_options(options, option_len, &current.edit.random);
    if (option_len <= room - text) {
        memcpy(data + text, options, option_len);
        text += option_len;
    }
    return text;
}

size_t mutator_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                     size_t room, uint64_t seed)
{
    size_t kept = a_size < room ? a_size : room;
    size_t text = fuzz_input_of(a, kept).text.len;
    size_t donor = fuzz_input_of(b, b_size).text.len;
    size_t options = kept - text;
    size_t len = jck_cross(&current, a, text, b, donor, out, room - options, seed);
    if (options != 0) {
        memcpy(out + len, a + text, options);
    }
    return len + options;
}
