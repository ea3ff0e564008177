// What a client that runs by itself showed in one run: the Requests that it made, what it printed,
// and how it ended. Two runs are compared by this, since nothing else of such a client can be
// observed.
#ifndef JCK_JUDGE_SIGHT_H
#define JCK_JUDGE_SIGHT_H

#include "harness/evidence/evidence.h"
#include "harness/suite/case.h"

typedef struct jck_sight_list {
    const char **items; // sorted
    size_t count;
    size_t room; // for items
} jck_sight_list;

typedef struct jck_sight {
    jck_sight_list requests; // method and params of each, whatever its id and position
    jck_sight_list printed;  // lines
    jrpc_peer_ending end;
} jck_sight;

// What the evidence shows of the run in `step`, in `arena`. False if out of memory.
bool jck_sight_of(const jck_evidence *evidence, int step, jrpc_arena *arena, jck_sight *ret_sight);
// How `other` differs from `first` in what must be the same, as the end of a sentence ("the client
// …"); NULL: it does not.
const char *jck_sight_difference(const jck_sight *first, const jck_sight *other, jck_sameness same,
                                 jrpc_arena *arena);

#endif
