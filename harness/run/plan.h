// Which cases a run executes, and in which order.
#ifndef JCK_RUN_PLAN_H
#define JCK_RUN_PLAN_H

#include "harness/suite/suite.h"
#include "reference/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jck_plan_options {
    jck_side side;        // ground cases for the other side are left out
    bool undriven;        // a client that runs by itself: its cases depend on no ground case
    const bool *selected; // one for each case of the suite
    bool shuffle;
    uint64_t seed;
    unsigned shard_index; // 1-based
    unsigned shard_count; // 1: all
    unsigned repeat;      // at least 1
    // Cases with at least this many steps come before the others (hazards stay last), so that long
    // cases start early and several workers end at about the same time. 0: length does not matter.
    size_t long_steps;
    // Run the cases that open their connection without the prelude together, after the others: if a
    // connection is a process, this saves process starts.
    bool bare_last;
} jck_plan_options;

typedef struct jck_plan {
    const jck_case **grounds; // run first, whether selected or not
    size_t ground_count;
    const jck_case **cases; // hazards come last
    size_t case_count;
    size_t *waiting; // the positions of cases that mostly wait, without hazards
    size_t waiting_count;
    size_t pauses; // how often these pause
    // Cases that let the rest of the run pass, and so run beside the others (see waiters.h).
    const jck_case **resting;
    size_t resting_count;
} jck_plan;

// Makes the plan in `arena`. Selected ground cases appear only among the grounds. A shard takes
// every shard_count-th of the selected cases in file order, so that together the shards cover all
// of them. False when memory is out.
bool jck_plan_make(const jck_suite *suite, const jck_plan_options *options, jrpc_arena *arena,
                   jck_plan *ret_plan);
// Whether a case is selected, for this shard or another.
bool jck_plan_selects(const jck_suite *suite, const jck_plan_options *options,
                      const jck_case *test_case);
// Whether a ground case was selected and so counts as a case of this run (with shards: of the first
// shard).
bool jck_plan_asks_for(const jck_suite *suite, const jck_plan_options *options,
                       const jck_case *ground);

#endif
