// Messages sent alone, as a case of their own, and judged like any other case.
#ifndef JCK_LIVE_REPLAY_H
#define JCK_LIVE_REPLAY_H

#include "harness/live/compose.h"
#include "harness/run/worker.h"
#include "harness/suite/profile.h"

typedef struct jck_replay {
    jck_worker *worker;             // borrowed
    const jck_due_context *context; // borrowed
    const jck_profile *profile;     // borrowed; NULL: none
    jck_live_rules rules;
    jrpc_arena arena;     // of the case
    jrpc_buffer text;     // what it was read from
    jck_case test_case;   // the last one
    jck_attempt *attempt; // of it; NULL: none
    bool known;           // it showed something that is already known
} jck_replay;

typedef enum jck_replayed {
    JCK_REPLAYED_FINE,  // no finding that is not already known
    JCK_REPLAYED_FINDS, // a finding
    JCK_REPLAYED_STOP,  // the run has been stopped: the target is gone, or the user interrupted it
} jck_replayed;

// The worst finding of an attempt that is not already known.
typedef struct jck_found {
    const jck_finding *finding; // in the attempt
    uint64_t difference;        // equal for equal differences, whatever the messages were
} jck_found;

void jck_replay_init(jck_replay *replay, jck_worker *worker, const jck_due_context *context,
                     const jck_profile *profile);
void jck_replay_done(jck_replay *replay);
// Sends the messages and judges the answers. `fresh`: over new connections. *ret_found is valid
// until the next replay.
jck_replayed jck_replay_run(jck_replay *replay, const jck_composition *composition, jck_watch watch,
                            bool fresh, jck_found *ret_found);

#endif
