// The structure-aware mutator.
//
// It sees an input as pieces of JSON (values, members, elements), wherever they are, also in text
// that is not valid JSON as a whole; if there are none it works on bytes. It allocates nothing.
#ifndef JCK_GENERATE_MUTATE_H
#define JCK_GENERATE_MUTATE_H

#include "harness/generate/edit.h"

#include <stddef.h>
#include <stdint.h>

typedef struct jck_mutator {
    jck_edit edit;
} jck_mutator;

// Initializes caller's storage; the vocabulary is borrowed. Not thread-safe.
void jck_mutator_init(jck_mutator *mutator, const jck_vocabulary *vocabulary);

// Changes data[0..size) in place and returns the new length, at most `room` bytes (at least
// `size`). The same seed gives the same result.
size_t jck_mutate(jck_mutator *mutator, uint8_t *data, size_t size, size_t room, uint64_t seed);

// Replaces a value of one input with one of the other; writes at most `room` bytes to `out` and
// returns how many.
size_t jck_cross(jck_mutator *mutator, const uint8_t *a, size_t a_size, const uint8_t *b,
                 size_t b_size, uint8_t *out, size_t room, uint64_t seed);

#endif
