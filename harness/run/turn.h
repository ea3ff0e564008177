// Private to the runner: which workers may run cases at the same time.
#ifndef JCK_RUN_TURN_H
#define JCK_RUN_TURN_H

#include "harness/run/worker.h"

// Waits until the worker may run a case: beside the other workers, or alone where they could spoil
// that case or a held one that may be run again. NULL: no case but those that are held.
void jck_turn_begin(jck_worker *worker, const jck_case *test_case);
// Keeps the other workers from their cases until this one is done with its own: when the process
// ends, it ends for all of them.
void jck_turn_be_alone(jck_worker *worker);
void jck_turn_end(jck_worker *worker);

#endif
