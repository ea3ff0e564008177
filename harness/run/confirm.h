// A second look at a verdict that another case may have caused.
// A case that fails in company is run again alone. If it fails there too, that is the verdict. If
// not, the cause is searched for (doubt.h).
#ifndef JCK_RUN_CONFIRM_H
#define JCK_RUN_CONFIRM_H

#include "harness/run/worker.h"

// Whether the current attempt needs a second look before its verdict is final.
bool jck_confirm_is_due(const jck_execution *execution);
// Takes the second look; the result is in execution->company. False if the run has to stop. If
// jck_confirm_has_to_listen is true afterwards, the verdict is not final yet.
bool jck_confirm(jck_worker *worker, jck_execution *execution);
// Whether the second look waited less than the full time for an answer that a fence has overtaken,
// so that its connection must be listened to for the rest (jck_pending_begin).
bool jck_confirm_has_to_listen(const jck_execution *execution);
// Runs an execution that was pending alone once more. If jck_confirm_has_to_listen is true
// afterwards, or it is pending, the verdict is not final yet.
bool jck_confirm_again(jck_worker *worker, jck_execution *execution);
// Runs an execution alone, with the full time for every answer; that verdict is final.
bool jck_confirm_in_full(jck_worker *worker, jck_execution *execution);
// Moves messages that came during this attempt, but answer an execution that is held, to that
// execution and judges it again. Considers only messages at `from` or later in the record.
void jck_confirm_strays(jck_worker *worker, const jck_attempt *attempt, size_t from);

#endif
