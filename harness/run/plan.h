// Which executions a run makes, and in which order.
#ifndef JCK_RUN_PLAN_H
#define JCK_RUN_PLAN_H

#include "harness/suite/suite.h"
#include "reference/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jck_plan_options {
    jck_side side;        // grounds of the other side are left out
    bool undriven;        // a client that runs by itself: its cases stand on nothing
    const bool *selected; // one for each case of the suite
    bool shuffle;
    uint64_t seed;
    unsigned shard_index; // 1-based
    unsigned shard_count; // 1: all
    unsigned repeat;      // at least 1
    // Cases of at least so many steps stand before the others (hazards stay last): what takes long
    // is begun early, and several workers end together. 0: their length does not matter.
    size_t long_steps;
} jck_plan_options;

typedef struct jck_plan {
    const jck_case **grounds; // run first, whether selected or not
    size_t ground_count;
    const jck_case **cases; // hazards after all others
    size_t case_count;
} jck_plan;

// Makes the plan in `arena`. Ground cases that are selected stand among the grounds only. A shard
// takes every shard_count-th of the selected cases in file order, so that the shards together are
// the whole. False when memory is out.
bool jck_plan_make(const jck_suite *suite, const jck_plan_options *options, jrpc_arena *arena,
                   jck_plan *ret_plan);
// Whether a ground case was selected, and so counts as a case of this run: of shards, in the first.
bool jck_plan_asks_for(const jck_suite *suite, const jck_plan_options *options,
                       const jck_case *ground);

#endif
