// Private to the runner: which workers may be at a case at the same time.
#ifndef JCK_RUN_TURN_H
#define JCK_RUN_TURN_H

#include "harness/run/worker.h"

// Waits until the worker may be at a case: beside the others, or alone where they could spoil it,
// or one that is held and may be run again. NULL: at none, but at those that are held.
void jck_turn_begin(jck_worker *worker, const jck_case *test_case);
// Keeps the other workers from their cases until this one is through with its own: a process that
// ends ends for all of them.
void jck_turn_be_alone(jck_worker *worker);
void jck_turn_end(jck_worker *worker);

#endif
