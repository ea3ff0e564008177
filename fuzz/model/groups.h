// The result of a run: its cases in groups, by what they broke, lacked or showed, and the causes of
// what is wrong, with their smallest examples; sorted as in reports. It is the second opinion on
// harness/report/tally and cause.
#ifndef JRPC_FUZZ_MODEL_GROUPS_H
#define JRPC_FUZZ_MODEL_GROUPS_H

#include "fuzz/model/runs.h"

enum { GROUPS_OBSERVE, GROUPS_SHOULD, GROUPS_MUST }; // levels

typedef struct group {
    jrpc_slice name, value, example;
    int level, unexpected_level; // the worst, and the worst outside the baseline
    size_t cases, unexpected;
} group;

typedef struct groups {
    group *all;
    size_t count;
} groups;

// Rules that cases outside their findings' baseline break, by rule and sentence.
groups groups_broken(tree_pool *pool, const runs_run *run);
// Cases that need a method that was not named, by the method; those that were not judged for
// another reason; those that depend on a broken rule.
groups groups_unmapped(tree_pool *pool, const runs_run *run);
groups groups_skipped(tree_pool *pool, const runs_run *run);
groups groups_blocked(tree_pool *pool, const runs_run *run);
groups groups_observed(tree_pool *pool, const runs_run *run);

// A text of an event, empty if it is not one.
jrpc_slice groups_text(const tree *object, const char *name);
int groups_level(const tree *object);
bool groups_is_known(const tree *finding);

#define CAUSE_EXAMPLES 20

typedef struct cause {
    int outcome;     // RUNS_FAIL: the rule is broken; else what happened
    jrpc_slice rule; // empty for the others
    int level;
    size_t cases, at_level[GROUPS_MUST + 1], unexpected, repeats, blocks;
    const runs_case *examples[CAUSE_EXAMPLES]; // the smallest first
    size_t sizes[CAUSE_EXAMPLES];
    size_t example_count;
} cause;

// The causes with a case, worst first; *ret_count is how many there are.
cause *causes_of(tree_pool *pool, const runs_run *run, size_t examples, size_t *ret_count);
// The options that repeat the cases before a case, "" if there are none or too many.
const char *causes_after(tree_pool *pool, const runs_case *one);

#endif
