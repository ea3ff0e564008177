// What a case sends, without a run: for showing it, and for checking it. A stand-in target maps
// every capability to a method of the same name; values that a run would capture read "captured".
#ifndef JCK_CLI_SAMPLE_H
#define JCK_CLI_SAMPLE_H

#include "harness/suite/variables.h"

#define JCK_SAMPLE_PAYLOAD_BYTES ((size_t)64 << 20)

typedef struct jck_sample {
    jck_target stand_in;
    const jck_target *target; // the stand-in, or a real one (borrowed)
    const jck_case *of;       // its names from the prelude ("declares:") get values; NULL: none do
    jrpc_arena arena;
    jck_variables variables;
} jck_sample;

// `target` (borrowed) may be NULL: the stand-in. `nonce` is used in ids. Free with jck_sample_done,
// also after a failure. False with MEMORY.
bool jck_sample_init(jck_sample *sample, const jck_target *target, uint32_t nonce,
                     jrpc_error *error);
void jck_sample_done(jck_sample *sample);
// Starts a case (or a prelude): clears the variables of the previous one.
bool jck_sample_turn(jck_sample *sample, const jck_step *steps, size_t step_count,
                     jrpc_error *error);
// Appends the bytes that step number `index`, a SEND, puts on the wire (before framing).
bool jck_sample_bytes(jck_sample *sample, const jck_step *step, size_t index, jrpc_buffer *out,
                      jrpc_error *error);

#endif
