// Private to the runner: which workers may run cases at the same time.
#ifndef JCK_RUN_TURN_H
#define JCK_RUN_TURN_H

#include "harness/run/worker.h"

// Waits until the worker may run a case: at the same time as the other workers, or alone if they
// could disturb that case or a held one that may be run again. NULL: only the held ones matter.
void jck_turn_begin(jck_worker *worker, const jck_case *test_case);
// Lets no other worker run a case until this one has finished its own: when the process ends, it
// ends for all of them.
void jck_turn_be_alone(jck_worker *worker);
void jck_turn_end(jck_worker *worker);

#endif
