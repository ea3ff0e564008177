// Private to the runner and to live fuzzing: what a run has learned and counted so far, shared by
// its workers.
#ifndef JCK_RUN_LEDGER_H
#define JCK_RUN_LEDGER_H

#include "harness/judge/repeats.h"
#include "harness/link/host.h"
#include "harness/run/deadly.h"
#include "harness/run/execution.h"
#include "harness/run/pace.h"
#include "harness/run/runner.h"

#include <pthread.h>

// A kind of failure that comes only in company: how it ends, or which rule it breaks.
typedef struct jck_kind {
    jck_outcome outcome;
    jrpc_slice rule;       // of its first finding; empty if it has none
    const jck_case *first; // where it was found
} jck_kind;
#define JCK_KINDS_MAX 16

// What speaks against a first look, and asks for a second one.
typedef enum jck_look {
    JCK_LOOK_PLAIN,     // only its company
    JCK_LOOK_HASTY,     // something was waited for in vain, for less than the full time
    JCK_LOOK_OVERTAKEN, // nothing came, though what was sent later was answered
} jck_look;
#define JCK_LOOKS (JCK_LOOK_OVERTAKEN + 1)

// A kind of failure that was seen alone as in company, so that more of it needs no second look.
typedef struct jck_trusted {
    jck_outcome outcome;
    jrpc_slice rule;
    jrpc_peer_ending ending;
    jrpc_slice group; // of cases, where it could be somebody else's or of a hasty look; else empty
    uint64_t words;   // that a process said last before it ended; 0: none
    jck_look look;
    unsigned confirmed;
} jck_trusted;
#define JCK_TRUSTED_MAX 64

// Who may be at a case while a worker is.
typedef enum jck_turn {
    JCK_TURN_BESIDE, // other workers too
    JCK_TURN_ALONE,  // nobody else
} jck_turn;

typedef struct jck_ledger {
    const jck_run_options *options;
    unsigned jobs;        // workers at work, chosen before there is more than one
    int64_t deadline_us;  // of the run; INT64_MAX: none
    jck_host host;        // has a lock of its own
    pthread_mutex_t lock; // guards everything below
    jck_run_result result;
    bool *rules_tested; // one for each rule of the suite
    // Crashes of the process that the workers share, by its generation: who was at a case then, and
    // whether one of those cases was found to bring it about.
    struct {
        uint32_t generation;
        unsigned suspects;
        bool explained;
    } crashes[JCK_GENERATIONS_KEPT];
    size_t next;     // the next case of the plan to be taken
    uint32_t serial; // executions so far
    bool stopping;
    pthread_cond_t left;           // a worker has left what it was running
    size_t running;                // workers at a case
    size_t waiting;                // workers that wait to be alone
    jck_turn turn;                 // of the workers at a case
    jck_kind kinds[JCK_KINDS_MAX]; // failures that come only in company
    size_t kind_count;
    jck_trusted trusted[JCK_TRUSTED_MAX];
    size_t trusted_count;
    jck_deadly deadly;
    jck_pace pace; // of all workers: what one has learned need not be learned by the others
    unsigned refuted[JCK_LOOKS]; // failures in company that did not come alone
    int64_t doubts_us;           // time spent so far on what failed in company and not alone
    int64_t late_us;             // how late the target was seen to answer; 0: never
    const jck_case *late_case;
    unsigned late_asked; // so often they were looked for
    unsigned late_seen;  // cases that were waited for because of that
    jrpc_buffer line;
    jck_repeats repeats;
    // Written while the grounds run, by one worker alone; only read afterwards.
    jck_calibration calibration;
    jrpc_slice *broken;
    bool silent_on_parse_error;
    bool silent_on_batch;
    bool mixes_connections;   // it mixes up the answers to calls that two of them await
    bool mute_on_parse_error; // after such text the connection answers nothing any more
} jck_ledger;

bool jck_ledger_init(jck_ledger *ledger, const jck_run_options *options, jrpc_arena *arena);
void jck_ledger_done(jck_ledger *ledger);

// An attempt that nothing was done in yet, with a number of its own. NULL: memory is out, and the
// run has been stopped.
jck_attempt *jck_ledger_attempt(jck_ledger *ledger, const jck_case *test_case);
// The next case to run, or NULL when all are taken or the run is stopping.
const jck_case *jck_ledger_take(jck_ledger *ledger, const jck_plan *plan);
// Before and after the run of a case. ALONE: no other worker runs one meanwhile, because the case
// counts effects on a server that all of them share.
void jck_ledger_enter(jck_ledger *ledger, jck_turn turn);
void jck_ledger_leave(jck_ledger *ledger);
// A worker's case saw the crash of a generation, and is about to be run alone …
void jck_ledger_suspect(jck_ledger *ledger, uint32_t generation);
// … and brought it about again, or did not. True if nobody is left who could have: then the crash
// is reported where it was seen.
bool jck_ledger_resolve(jck_ledger *ledger, uint32_t generation, bool guilty);
// The case in which the kind of failure that an attempt shows was found in company before; NULL if
// it was not.
const jck_case *jck_ledger_kind(jck_ledger *ledger, const jck_attempt *attempt);
void jck_ledger_note_kind(jck_ledger *ledger, const jck_attempt *attempt, const jck_case *found);
// Whether a failure in company is of a kind that was often enough seen alone as well, and no such
// failure was refuted in this run: then it is believed without a second look. How a target ends,
// and what a hasty look shows, is believed only of cases of one group (the part of the id before
// '/'); an ending also of others that send what ended the target each time, if it said the same.
bool jck_ledger_trusts(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen);
// Notes that a second look showed the same, or did not.
void jck_ledger_note_confirmed(jck_ledger *ledger, const jck_case *test_case,
                               const jck_attempt *seen, bool same);
// Notes whether a case ended the target, once it has its verdict.
void jck_ledger_note_death(jck_ledger *ledger, const jck_execution *execution);
// Whether the case would only bring about once more what ended the target often enough.
bool jck_ledger_expects_death(jck_ledger *ledger, const jck_case *test_case);
// Learns how fast the target answers from the record of a case (see jck_pace_note), and that the
// full time showed an answer which a hurried look missed.
void jck_ledger_note_pace(jck_ledger *ledger, const jck_evidence *evidence);
void jck_ledger_note_misjudged(jck_ledger *ledger);
// How long a first look lasts, by what is known.
jck_timing jck_ledger_timing(jck_ledger *ledger);
// The mean time of an answer, in microseconds; 0 where none was seen.
int64_t jck_ledger_mean_us(jck_ledger *ledger);
// Adds to the time spent on doubts; what is left of it, in microseconds.
int64_t jck_ledger_doubt(jck_ledger *ledger, int64_t spent_us);
// Notes that a case that owed silence was answered so late.
void jck_ledger_note_late(jck_ledger *ledger, int64_t late_us, const jck_case *answered);
// Whether it is worth while to look for late answers: once a run, for it takes seconds.
bool jck_ledger_asks_late(jck_ledger *ledger);
// How long a case that owed silence is to be listened to after its end, in milliseconds, because
// answers were seen to come late; 0: not at all, or there were enough of them.
int64_t jck_ledger_lateness(jck_ledger *ledger);
// Stops the run if its time is up; whether it is.
bool jck_ledger_look_at_time(jck_ledger *ledger);
// Stops the run: no further case is taken. The first reason stays.
void jck_ledger_stop(jck_ledger *ledger, jck_run_end end, const jrpc_error *error);
// Stops it because there is no memory left for a case.
void jck_ledger_starve(jck_ledger *ledger);
bool jck_ledger_stopping(jck_ledger *ledger);
// Whether it has to end now, without waiting for anything: interrupted, or out of time.
bool jck_ledger_has_to_end(jck_ledger *ledger);

// What is reported of one execution.
typedef struct jck_case_report {
    const char *kind; // "case" or "ground"
    const jck_case *test_case;
    jck_outcome outcome;
    const jck_reason *reason;     // NULL or code NONE where the case was judged
    const jck_company *company;   // NULL: nothing to say of it
    const jck_attempt *attempts;  // others that were made at the case, linked by `before`; or NULL
    jck_verdict *verdict;         // NULL for skip and blocked; what repeats is marked in it
    const jck_evidence *evidence; // NULL where nothing was run
} jck_case_report;

// Counts the outcome and emits the event.
void jck_ledger_report(jck_ledger *ledger, const jck_case_report *report);
// The same of an execution, with all attempts that were made at it …
void jck_ledger_report_execution(jck_ledger *ledger, const jck_execution *execution);
// … and of a verdict on a case that stands by itself; `evidence` may be NULL.
void jck_ledger_report_verdict(jck_ledger *ledger, const jck_case *test_case, jck_verdict *verdict,
                               const jck_evidence *evidence);
// Learns from a ground case: which rules it shows to be broken, how unknown methods are answered.
void jck_ledger_learn(jck_ledger *ledger, const jck_case *ground, const jck_verdict *verdict,
                      const jck_evidence *evidence);
// Whether a ground case has shown that the target breaks the rule.
bool jck_ledger_is_broken(const jck_ledger *ledger, jrpc_slice rule);
// Whether the case stands on a rule that is broken; *ret_rule is that rule.
bool jck_ledger_blocks(const jck_ledger *ledger, const jck_case *test_case, jrpc_slice *ret_rule);

#endif
