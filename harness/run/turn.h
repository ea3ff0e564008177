// Private to the runner: which workers may run cases at the same time.
#ifndef JCK_RUN_TURN_H
#define JCK_RUN_TURN_H

#include "harness/run/worker.h"

// Waits until the worker may run a case: at the same time as the other workers, or alone if they
// could disturb that case or a held one that may be run again. NULL: only the held ones matter.
void jck_turn_begin(jck_worker *worker, const jck_case *test_case);
// Lets no other worker run a case until this one has finished its own, if they share a process,
// which may end for all of them, or a target that is slow to answer so many.
void jck_turn_be_alone(jck_worker *worker);
void jck_turn_end(jck_worker *worker);

#endif
