// The structure-aware mutator (harness/generate), one for every engine, with words out of the case
// files. What follows the last NUL byte of an input is options (fuzz/fuzz.h), which it changes now
// and then and otherwise keeps.
#ifndef JRPC_FUZZ_MUTATOR_MUTATOR_H
#define JRPC_FUZZ_MUTATOR_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

// Mutates data[0..size) in place; the result is at most `room` bytes (at least `size`) long, and
// the same for the same seed. Returns its length. For one thread at a time.
size_t mutator_mutate(uint8_t *data, size_t size, size_t room, uint64_t seed);

// Puts a value of one input in the place of one of another; writes at most `room` bytes to `out`.
size_t mutator_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                     size_t room, uint64_t seed);

#endif
