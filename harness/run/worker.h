// Private to the runner and to live fuzzing: one worker, its link, and the executions it has not
// reported yet.
#ifndef JCK_RUN_WORKER_H
#define JCK_RUN_WORKER_H

#include "harness/run/company.h"
#include "harness/run/execution.h"
#include "harness/run/ledger.h"
#include "harness/run/liveliness.h"
#include "harness/session/session.h"

typedef struct jck_worker {
    jck_ledger *ledger; // borrowed
    const jck_plan *plan;
    jck_link link;
    jck_session session;
    jck_execution *held;                // not reported yet, oldest first (see held.h)
    const jck_calibration *calibration; // of the ledger; NULL while the first ground case runs
    jck_history history;                // of the process or connection in use
    jck_liveliness liveliness;
    jck_target beside;   // the target on another port, and the process started there; unused if the
    jck_host host;       // worker shares the ledger's
    int64_t longest_us;  // the longest that a ground case took
    bool hurries;        // the ground cases that it runs are provisional
    bool doubts_silence; // it waits for answers that ground cases have shown not to come
    bool reserved;       // it begins only when it is needed
    bool further;        // it is not the first one
    bool entered;        // … and may have a process (see once.h)
    int64_t quiet_ms;    // for how long nothing has come since its last attempt
    bool optional; // the user did not ask for this worker: it stops if several workers do harm
    jck_turn turn; // whether other workers may run a case at the same time
    size_t sessions_lost; // sessions that the target ended with HTTP 404 and that were begun again
} jck_worker;

void jck_worker_init(jck_worker *worker, jck_ledger *ledger, const jck_plan *plan);
// The same for a worker in addition to `first`, which has learned about the target. `beside`: the
// target is started again for it, on a port after that of the worker `before` (NULL: after the
// target's own; see jck_target_beside). False if that is not possible; jck_worker_done is to be
// called all the same.
bool jck_worker_init_further(jck_worker *worker, jck_worker *first, const jck_worker *before,
                             bool beside);
void jck_worker_done(jck_worker *worker);

// The result of an attempt.
typedef enum jck_tried {
    JCK_TRIED,         // it has a verdict
    JCK_TRIED_NO_ROOM, // the target serves fewer connections at once
    JCK_TRIED_CUT_OFF, // the target closes connections after fewer messages than the case has
    JCK_TRIED_LIMITED, // the target refuses messages of the case, because they come too fast
    JCK_TRIED_STOP,    // the run has to stop, and has been stopped
} jck_tried;

// Executes and judges a case once, in a new attempt (*ret_attempt; NULL unless TRIED).
jck_tried jck_worker_try(jck_worker *worker, const jck_case *test_case, jck_watch watch,
                         jck_attempt **ret_attempt);
// The same alone: on a new connection or after a quiet window on the current one, with the full
// time for every answer.
jck_tried jck_worker_try_alone(jck_worker *worker, const jck_case *test_case,
                               jck_attempt **ret_attempt);
// The same alone, but a connection that goes mute is given up as early as in a first look and then
// listened to in the background (attempt->listening) for the full time.
jck_tried jck_worker_try_aside(jck_worker *worker, const jck_case *test_case,
                               jck_attempt **ret_attempt);
// How long an attempt waits that decides: as long as was learned, unless the case may take longer
// than others.
jck_timing jck_worker_full_timing(const jck_worker *worker, const jck_case *test_case);
// The same during an experiment: NULL if the target could not be reached or stopped answering,
// which has no consequence for the run.
jck_attempt *jck_worker_replay(jck_worker *worker, const jck_case *test_case);
// Judges the record of an attempt, again if it was judged before.
void jck_worker_judge(jck_worker *worker, const jck_case *test_case, jck_attempt *attempt);
// Makes the next attempt begin with a fresh process or, if the process is not ours, a fresh
// connection.
void jck_worker_start_afresh(jck_worker *worker);
// Listens to the open connection for a while longer, adds what comes to the record of the last
// attempt, and judges that again.
void jck_worker_linger(jck_worker *worker, const jck_case *test_case, jck_attempt *attempt,
                       int64_t window_ms);
// How long an attempt aside listens before it begins: less if the target has nothing to do, because
// an answer that comes still later is heard in the background.
int64_t jck_worker_window_ms(jck_worker *worker);
// Whether the other workers also lose their connections when the target's process ends.
bool jck_worker_shares_process(const jck_worker *worker);

// Opens the target for the first time and, if the options say so, looks for methods that were not
// named. False if it cannot be used: the run is stopped. *ret_silence then says whether it is open
// but answers nothing, or echoes, which is a finding (see jck_worker_report_silence).
bool jck_worker_open(jck_worker *worker, bool *ret_silence);
// Reports, as the verdict on the first ground case, that the target answers no call at all.
void jck_worker_report_silence(jck_worker *worker);
// Whether the target answers this worker on a connection of its own while the others are open.
bool jck_worker_is_let_in(jck_worker *worker);
// Runs the ground cases; false if the run has been stopped.
bool jck_worker_run_grounds(jck_worker *worker);
// Runs cases until none is left.
void jck_worker_run_cases(jck_worker *worker);
// Runs the cases that let the rest of the run pass until none is left.
void jck_worker_run_resting(jck_worker *worker);

#endif
