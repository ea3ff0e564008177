// The smallest form of a case that fails: fewer steps, then smaller messages, always with the same
// finding.
//
// Every try is made on a fresh process (or connection, where there is no process of ours). A
// message that is changed is judged by what is owed for it, whatever the case expected: see
// JCK_EXPECT_OWED.
#ifndef JCK_RUN_SHRINK_H
#define JCK_RUN_SHRINK_H

#include "harness/run/runner.h"

typedef struct jck_shrunk {
    bool failed;          // the case fails at all; without it the rest is that of the case itself
    jck_case smallest;    // in the arena given
    jck_outcome outcome;  // that it came to
    jrpc_slice rule;      // that it breaks; empty where the outcome says all
    size_t probes;        // tries that were made
    size_t bytes, before; // of its payloads, as the file spells them: now, and of the case
} jck_shrunk;

// Opens the target, lets its ground cases teach what they do, and shrinks. `options` are those of a
// run of this case alone; their `emit` is not called. Stops with the smallest found so far after
// options->max_us (0: a minute), or when interrupted. False with *error if the target could not be
// opened or answers nothing, or memory is out.
bool jck_shrink(const jck_run_options *options, const jck_case *test_case, jrpc_arena *arena,
                jck_shrunk *ret_shrunk, jck_run_end *ret_end, jrpc_error *error);

#endif
