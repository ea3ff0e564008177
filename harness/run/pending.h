// Verdicts that rest on a wait that was cut short. They become final if nothing comes in the rest
// of the time, which passes in the background while other cases run.
#ifndef JCK_RUN_PENDING_H
#define JCK_RUN_PENDING_H

#include "harness/run/worker.h"

// Leaves an execution pending whose answer did not come within the time of a first look, on a
// connection that is in order. False if that connection cannot be listened to: then the execution
// must be confirmed by a second look.
bool jck_pending_begin(jck_worker *worker, jck_execution *execution);
// Settles the pending executions whose time is over. If it `waits`, settles all of them, and waits
// for each unless jck_ledger_has_waited says that it need not. If something was heard, or listening
// was not possible, a second look decides. False if the run has to stop.
bool jck_pending_settle(jck_worker *worker, bool waits);

#endif
