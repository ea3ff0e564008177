// Private to the runner: the search for the cause of a failure that is seen in company and not
// alone.
//
// The search takes a bounded time. Is a case just before it the cause, whose answer came late or
// which ended the target late? Does it fail again on a fresh process, after the same cases? Then
// that is the verdict, with as few of those cases as are needed to cause it. A failure that does
// not come again is counted, but is not a verdict.
#ifndef JCK_RUN_DOUBT_H
#define JCK_RUN_DOUBT_H

#include "harness/run/worker.h"

// A doubt about one execution while it is being resolved.
typedef struct jck_doubt {
    jck_worker *worker;
    jck_execution *execution;
    const jck_attempt *seen;                 // in company
    const jck_case *before[JCK_HISTORY_MAX]; // what that company was
    size_t before_count;
    jck_tried end; // STOP: of the run
} jck_doubt;

// Remembers what was seen in company, and what that company was.
void jck_doubt_begin(jck_doubt *doubt, jck_worker *worker, jck_execution *execution);
// Looks for the cause, once the attempt that stands was made alone and does not show what was seen.
// execution->company says what came of it.
void jck_doubt_resolve(jck_doubt *doubt);

#endif
