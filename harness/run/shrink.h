// The smallest form of a case that fails: fewer steps, then smaller messages, always with the same
// finding.
// Every try uses a fresh process (or a fresh connection, if the process is not ours). A changed
// message is judged by what is owed for it, whatever the case expected: see JCK_EXPECT_OWED.
#ifndef JCK_RUN_SHRINK_H
#define JCK_RUN_SHRINK_H

#include "harness/run/runner.h"

typedef struct jck_shrunk {
    bool failed;          // the case fails at all; if not, the rest describes the case itself
    jck_case smallest;    // in the arena given
    jck_outcome outcome;  // of the smallest form
    jrpc_slice rule;      // that it breaks; empty if the outcome says it all
    size_t probes;        // how many tries were made
    size_t bytes, before; // of its payloads as a case file spells them: now, and before
} jck_shrunk;

// Opens the target, learns from its ground cases, and shrinks. `options` are those of a run of this
// case alone; their `emit` is not called. Stops with the smallest found so far after
// options->max_us (0: a minute), or when interrupted (*ret_end says so). False with *error if the
// target could not be opened or answers nothing, or memory is out.
bool jck_shrink(const jck_run_options *options, const jck_case *test_case, jrpc_arena *arena,
                jck_shrunk *ret_shrunk, jck_run_end *ret_end, jrpc_error *error);

#endif
