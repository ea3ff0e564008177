// What every fuzz target shares: the entry point that engines call, claims that must hold, and the
// options that an input carries after its text.
#ifndef JRPC_FUZZ_FUZZ_H
#define JRPC_FUZZ_FUZZ_H

#include "reference/base/slice.h"

#include <stdbool.h>
#include <stdint.h>

// The one function of a target. Always returns 0; a claim that does not hold aborts.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Says which claim failed on standard error and aborts, so that every engine counts it as a crash.
_Noreturn void fuzz_fail(const char *file, int line, const char *claim);

// A claim about the code under test. Stays on in every build.
#define FUZZ_REQUIRE(claim) ((claim) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #claim))

// Options stand after the last NUL byte, at most FUZZ_OPTION_BYTES of them: the front of an input
// stays a plain message (JSON holds no NUL), and a plain message is an input with all options 0.
#define FUZZ_OPTION_BYTES 8

typedef struct fuzz_input {
    jrpc_slice text;
    uint8_t options[FUZZ_OPTION_BYTES];
    uint32_t turn; // whose turn it is: a hash of all that is above
} fuzz_input;

fuzz_input fuzz_input_of(const uint8_t *data, size_t size);

// A seed for derived choices, made of all the options.
uint64_t fuzz_input_seed(const fuzz_input *input);

// Costly claims take turns: whether an input is tried by the `which`-th of `count` claims. Its
// bytes choose one of them, so an engine pays for one in each execution, and a mutation goes to
// another. Where an input is looked at once (replay, triage, proof) it is tried by all of them:
// that is so while fuzz_every_claim is set, which a variable of the environment,
// JRPC_FUZZ_EVERY_CLAIM, does.
bool fuzz_turn(const fuzz_input *input, unsigned which, unsigned count);
extern bool fuzz_every_claim;

#endif
