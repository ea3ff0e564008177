// A second look at a verdict that a neighbouring case could be the cause of.
//
// What fails in company is run alone. If it fails there too, that is the verdict. If not, its cause
// is looked for (doubt.h).
#ifndef JCK_RUN_CONFIRM_H
#define JCK_RUN_CONFIRM_H

#include "harness/run/worker.h"

// Whether the attempt that stands has to be looked at again before its verdict is passed.
bool jck_confirm_is_due(const jck_execution *execution);
// Looks again; execution->company says what came of it. False if the run has to stop.
bool jck_confirm(jck_worker *worker, jck_execution *execution);
// Runs an execution alone, with the full time for every answer, and lets that verdict stand.
bool jck_confirm_in_full(jck_worker *worker, jck_execution *execution);
// Gives messages that came while this attempt was made, and answer an execution that is held, to
// that one, and judges it anew. Only those that stand in the record at `from` or later.
void jck_confirm_strays(jck_worker *worker, const jck_attempt *attempt, size_t from);

#endif
