// The workers of a run: the first one, and those that share the rest of the plan with it.
#ifndef JCK_RUN_CREW_H
#define JCK_RUN_CREW_H

#include "harness/run/worker.h"

// Runs the cases of the plan, after `first` has run the ground cases in `took_us`, with as many
// workers as the user wants, or as pay off.
void jck_crew_run(jck_ledger *ledger, const jck_plan *plan, jck_worker *first, int64_t took_us,
                  jrpc_arena *arena);
// Adds what a worker has counted to the run's result. The worker must have ended.
void jck_crew_settle_account(jck_ledger *ledger, const jck_worker *worker);

#endif
