// Verdicts that rest on a wait which was cut short, and stand if nothing comes in the rest of the
// time: that is waited for from the side, while other cases run.
#ifndef JCK_RUN_PENDING_H
#define JCK_RUN_PENDING_H

#include "harness/run/worker.h"

// Leaves an execution pending whose answer did not come in the time of a first look, on a
// connection that is in order. False if that connection cannot be listened to: then the execution
// has to be confirmed by a second look.
bool jck_pending_begin(jck_worker *worker, jck_execution *execution);
// Settles those that are pending and whose time is over; all of them, when it `waits`. What was
// heard, or could not be listened to, is confirmed by a second look. False if the run has to stop.
bool jck_pending_settle(jck_worker *worker, bool waits);

#endif
