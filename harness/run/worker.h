// Private to the runner: one worker, its link, and the cases it has run but not yet told.
#ifndef JCK_RUN_WORKER_H
#define JCK_RUN_WORKER_H

#include "harness/run/ledger.h"
#include "harness/session/session.h"

// A stray message can belong to a case that was run a little earlier: so many executions are kept
// back until what follows them has shown that nothing came late.
#define JCK_HELD_MAX 3

// One execution with everything that belongs to it.
typedef struct jck_execution {
    const jck_case *test_case; // NULL: an empty place
    const char *kind;
    jrpc_arena arena;
    jck_variables variables;
    jck_evidence evidence;
    jck_verdict verdict;
    jck_outcome outcome;
    jck_reason reason; // why there is no verdict; code NONE where there is one
    bool judged;
} jck_execution;

typedef struct jck_worker {
    jck_ledger *ledger; // borrowed
    const jck_plan *plan;
    jck_link link;
    jck_session session;
    jck_execution held[JCK_HELD_MAX];
    size_t held_count;
    bool alone;      // no other worker is at a case
    bool fruitful;   // a case came to its end with the target answering
    unsigned barren; // cases in a row behind which it answered nothing any more
} jck_worker;

void jck_worker_init(jck_worker *worker, jck_ledger *ledger, const jck_plan *plan);
void jck_worker_done(jck_worker *worker);
// Prepares an empty execution for a case. False without memory.
bool jck_execution_prepare(jck_worker *worker, jck_execution *execution, const jck_case *test_case);
void jck_execution_clear(jck_execution *execution);
// Executes and judges once. False if the run has to stop.
bool jck_worker_attempt(jck_worker *worker, jck_execution *execution, jck_watch watch,
                        const jck_calibration *calibration);
// Whether other workers lose their connections too when the process behind the target ends.
bool jck_worker_shares_process(const jck_worker *worker);

// Opens the target for the first time and looks for methods nobody named (if the options say so).
// False if it cannot be used: the run is stopped; *ret_silence says whether it is open and answers
// nothing, or echoes, which is a finding (see jck_worker_tell_silence).
bool jck_worker_open(jck_worker *worker, bool *ret_silence);
// Tells, as the verdict on the first ground case, that the target answers no call at all.
void jck_worker_tell_silence(jck_worker *worker);
// Runs the ground cases; false if the run has been stopped.
bool jck_worker_run_grounds(jck_worker *worker);
// Runs cases until none is left.
void jck_worker_run_cases(jck_worker *worker);

#endif
