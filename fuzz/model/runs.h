// What an event stream tells, run by run, counted by the schema of events: the second opinion on
// what reports add up.
#ifndef JRPC_FUZZ_MODEL_RUNS_H
#define JRPC_FUZZ_MODEL_RUNS_H

#include "fuzz/model/tree.h"

#include <stdbool.h>

// As docs/event.schema.json lists them, from best to worst; what is unknown counts as an error.
enum {
    RUNS_PASS,
    RUNS_SKIP,
    RUNS_OBSERVE,
    RUNS_WARN,
    RUNS_BLOCKED,
    RUNS_FAIL,
    RUNS_ENDED,
    RUNS_STUCK,
    RUNS_HANG,
    RUNS_CRASH,
    RUNS_ERROR,
    RUNS_OUTCOMES
};
extern const char *const runs_outcomes[RUNS_OUTCOMES];

// A case that was selected (ground cases are context and not counted).
typedef struct runs_case {
    const tree *event;
    jrpc_slice id;
    int outcome;
    bool expected;
    bool breach;     // makes the run non-conformant by itself
    bool breach_lax; // … where the run is not strict
    size_t findings;
    size_t weighty; // findings with weight: not known, above OBSERVE
    struct runs_case *next;
} runs_case;

typedef struct runs_rule {
    const tree *event;
    struct runs_rule *next;
} runs_rule;

typedef struct runs_run {
    bool strict, complete, conformant;
    size_t cases, breaches; // breaches: outside the baseline
    size_t counts[RUNS_OUTCOMES];
    runs_case *first, *last;
    runs_rule *rules;   // in no order
    const tree *finish; // NULL: it did not
    struct runs_run *next;
} runs_run;

typedef struct runs {
    tree_pool *pool;
    runs_run *first, *last;
    size_t count;
    bool open; // the last run goes on
} runs;

// Takes one event: a JSON Object, nested at most TREE_DEPTH deep; borrowed like the pool.
void runs_tell(runs *all, jrpc_slice line);

// What the second and later runs changed in the first, by rank: not judged, right, doubtful, wrong.
// RUNS_OTHERWISE: as wrong as before, but with another outcome or under other rules. RUNS_CHOICE
// needs more than that, and stays 0.
enum {
    RUNS_BROKEN,
    RUNS_NEW_WRONG,
    RUNS_FIXED,
    RUNS_OTHERWISE,
    RUNS_CHOICE,
    RUNS_UNJUDGED,
    RUNS_ADDED,
    RUNS_GONE,
    RUNS_CHANGES
};
void runs_changes(const runs *all, size_t *ret_counts);

#endif
