// Private to the runner: the search for the cause of a failure that appears in company but not
// alone.
// The search takes a bounded time. First: is a case just before it the cause, because its answer
// came late or it ended the target late? Then: does the failure appear again on a fresh process,
// after the same cases? If so, that is the verdict, with as few of those cases as are needed to
// cause it. A failure that does not appear again is counted, but is not a verdict.
#ifndef JCK_RUN_DOUBT_H
#define JCK_RUN_DOUBT_H

#include "harness/run/worker.h"

// A doubt about one execution while it is being resolved.
typedef struct jck_doubt {
    jck_worker *worker;
    jck_execution *execution;
    const jck_attempt *seen;                 // in company
    const jck_case *before[JCK_HISTORY_MAX]; // which cases that company was
    size_t before_count;
    jck_tried end; // STOP: of the run
} jck_doubt;

// Remembers what was seen in company, and which cases that company was.
void jck_doubt_begin(jck_doubt *doubt, jck_worker *worker, jck_execution *execution);
// Searches for the cause, after an attempt alone did not show what was seen. The result is in
// execution->company.
void jck_doubt_resolve(jck_doubt *doubt);

#endif
