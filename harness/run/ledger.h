// Private to the runner and to live fuzzing: what a run has learned and counted so far, shared by
// its workers.
#ifndef JCK_RUN_LEDGER_H
#define JCK_RUN_LEDGER_H

#include "harness/judge/repeats.h"
#include "harness/link/host.h"
#include "harness/run/deadly.h"
#include "harness/run/event.h"
#include "harness/run/execution.h"
#include "harness/run/pace.h"
#include "harness/run/runner.h"

#include <pthread.h>
#include <stdatomic.h>

// A kind of failure that appears only in company: how it ends, or which rule it breaks, or that it
// is an error of the target's own, whatever the right answer is, or that no answer comes each time
// the target has counted to some number, whatever message that is.
typedef struct jck_kind {
    jck_outcome outcome;
    jrpc_slice rule; // of its first finding; empty if it has none
    bool own_error;
    bool by_number;
    const jck_case *first; // where it was found
} jck_kind;
#define JCK_KINDS_MAX 16

// Why a first look needs a second one.
typedef enum jck_look {
    JCK_LOOK_PLAIN,     // only because of its company
    JCK_LOOK_HASTY,     // a wait shorter than the full time ended in vain
    JCK_LOOK_OVERTAKEN, // nothing came, although later messages were answered
} jck_look;
#define JCK_LOOKS (JCK_LOOK_OVERTAKEN + 1)

// A kind of failure that was seen alone as well as in company, so that further ones need no second
// look.
typedef struct jck_trusted {
    jck_outcome outcome;
    jrpc_slice rule;
    jrpc_peer_ending ending;
    jrpc_slice group; // of cases, if another case or a hasty look may have caused it; else empty
    uint64_t words;   // hash of the last output of a process that ended; 0: none
    jck_look look;
    unsigned confirmed;
    unsigned waited; // cases for which nothing came in the full time
} jck_trusted;
#define JCK_TRUSTED_MAX 64

// Which workers may run a case while one does.
typedef enum jck_turn {
    JCK_TURN_BESIDE, // other workers as well
    JCK_TURN_ALONE,  // no other worker
} jck_turn;

// Workers that wait until cases turn out to take long.
#define JCK_RESERVE_CASES 16
typedef struct jck_reserve {
    unsigned size;    // workers that wait; 0: none
    unsigned called;  // how many of them are called
    size_t called_at; // the value of `cases` when the last one was called
    unsigned tickets; // how many of those have not begun
    bool over;
    pthread_cond_t changed;
    int64_t took_us[JCK_RESERVE_CASES]; // how long the last cases took
    size_t cases;
    int64_t sum_us;     // of took_us
    int64_t all_us;     // how long all cases took so far
    int64_t longest_us; // how long the longest of them took
} jck_reserve;

// Whether the target can run twice at a time (see once.h).
typedef enum jck_twice {
    JCK_TWICE_UNTRIED,
    JCK_TWICE_TRYING, // a worker tries it
    JCK_TWICE_RUNS,
    JCK_TWICE_FAILS,
} jck_twice;

typedef struct jck_once {
    jck_twice twice;
    bool apart;       // each of several workers has a process of its own
    unsigned holders; // workers that may have a process
    jrpc_error why;   // a process could not be opened beside another
    pthread_cond_t changed;
} jck_once;

typedef struct jck_ledger {
    const jck_run_options *options;
    unsigned jobs;            // workers that run cases; changes only while there is a single one
    bool apart;               // each worker has a process of its own
    bool patient;             // each ground case is waited for in full before the run goes on
    int64_t deadline_us;      // of the run; INT64_MAX: none
    jck_host host;            // has its own lock
    atomic_bool reads_values; // the target reads JSON values where it should read lines (values.h)
    pthread_mutex_t lock;     // guards everything below
    jck_reserve reserve;
    jck_once once;
    jck_run_result result;
    bool *rules_tested; // one for each rule of the suite
    bool *rules_named;  // by the selected cases
    // Crashes of the process that the workers share, by generation: how many cases were running
    // then, and whether one of those was found to cause it.
    struct jck_crash {
        uint32_t generation;
        unsigned suspects;
        bool explained;
    } crashes[JCK_GENERATIONS_KEPT];
    bool *taken;              // one for each case of the plan; NULL: all cases before `next`
    size_t next;              // no case of the plan before it is left
    size_t next_waiting;      // the same, for those that mostly wait
    size_t given;             // cases that were taken
    size_t next_resting;      // the next one of those that let the rest of the run pass
    atomic_bool rest_is_over; // the others have run
    atomic_int quiet_ms;      // of a first look now; 0: not known
    // How often an answer that a first look missed did not come a little later either. Negative
    // once one did come.
    atomic_int lingered;
    uint32_t serial; // executions so far
    bool stopping;
    pthread_cond_t left;           // signalled when a worker has finished its case
    size_t running;                // workers running a case
    size_t waiting;                // workers waiting to run alone
    jck_turn turn;                 // of the workers running a case
    jck_kind kinds[JCK_KINDS_MAX]; // failures that come only in company
    size_t kind_count;
    jck_trusted trusted[JCK_TRUSTED_MAX];
    size_t trusted_count;
    jck_deadly deadly;
    jck_silences silences;
    jck_many many;               // what the slowest worker has seen
    int64_t limit_code;          // of the error that answers what comes too fast; 0: none seen
    char limit_words[64];        // the beginning of its message
    int64_t limit_interval_us;   // between two messages, for that reason
    int64_t limit_until_us;      // nothing is sent before
    unsigned limited_in_vain;    // cases that got that error however slowly they were run
    jck_pace pace;               // of all workers, so that each learns from all of them
    unsigned restarts_in_vain;   // new processes that showed only what the connection had shown
    unsigned crowd;              // workers that share a target, until some of them leave
    int64_t alone_us;            // the mean time of an answer when one worker asked
    jck_pace before_crowd;       // what was known when they began, or one of them left
    unsigned refuted[JCK_LOOKS]; // failures in company that did not appear alone
    int64_t doubts_us;           // time spent so far on what failed in company and not alone
    int64_t late_us;             // how late the target was seen to answer; 0: never
    const jck_case *late_case;
    bool swallowing_reported;
    unsigned late_asked; // how often late answers were looked for
    unsigned late_seen;  // cases that were listened to longer because of them
    jrpc_buffer line;
    // Reasons to keep event lines back, and those lines: the ground cases are running, and each of
    // them whose verdict may still change (see provisional.h).
    size_t provisional;
    jrpc_buffer kept;
    bool is_void; // such a verdict has changed
    jck_repeats repeats;
    // Written by a single worker while the ground cases run; afterwards only read.
    jck_calibration calibration;
    jrpc_slice *broken;
    bool silent_on_parse_error;
    bool silent_on_batch;
    bool mixes_connections; // it mixes up answers when calls on two connections are in flight
    bool
        mute_on_parse_error; // after text that is not JSON, the connection answers nothing any more
} jck_ledger;

bool jck_ledger_init(jck_ledger *ledger, const jck_run_options *options, jrpc_arena *arena);
void jck_ledger_done(jck_ledger *ledger);

// A new attempt with a number of its own. NULL: memory is out, and the run has been stopped.
jck_attempt *jck_ledger_attempt(jck_ledger *ledger, const jck_case *test_case);
// The next case to run, or NULL when all are taken or the run is stopping. With several workers
// (`taken` is not NULL), `waiting` prefers the cases that mostly wait, so that the time passes
// while other workers run the rest.
const jck_case *jck_ledger_take(jck_ledger *ledger, const jck_plan *plan, bool waiting);
// The next case that lets the rest of the run pass; NULL likewise.
const jck_case *jck_ledger_take_resting(jck_ledger *ledger, const jck_plan *plan);
bool jck_ledger_has_resting(jck_ledger *ledger, const jck_plan *plan); // whether one is left
// A worker takes no further case. If all cases have been taken and none is running, the cases about
// long silences need not wait for others any longer.
void jck_ledger_leave_rest(jck_ledger *ledger, const jck_plan *plan);
// To be called before and after a case is run. ALONE: no other worker runs a case meanwhile,
// because this one counts effects on a server that all of them share.
void jck_ledger_enter(jck_ledger *ledger, jck_turn turn);
void jck_ledger_leave(jck_ledger *ledger);
// A worker's case saw the crash of a generation and is about to be run again alone …
void jck_ledger_suspect(jck_ledger *ledger, uint32_t generation);
// … and did, or did not, cause it again. True if no other suspect is left: then the crash is
// reported where it was seen.
bool jck_ledger_resolve(jck_ledger *ledger, uint32_t generation, bool guilty);
// Notes that a case ran on this generation which ends the process when it runs alone too. That
// explains the crash, even if its own worker saw only that a connection was closed.
void jck_ledger_explain(jck_ledger *ledger, uint32_t generation);
// The case in which the kind of failure that an attempt shows was first found in company; NULL if
// it was not.
const jck_case *jck_ledger_kind(jck_ledger *ledger, const jck_attempt *attempt);
// `by_number`: it appears when that case is sent again and again.
void jck_ledger_note_kind(jck_ledger *ledger, const jck_attempt *attempt, const jck_case *found,
                          bool by_number);
// Whether a failure in company is believed without a second look: its kind was also seen alone
// often enough, and no such failure was refuted in this run. The end of a target, and what a hasty
// look shows, are believed only for cases of the same group (the part of the id before '/'); an end
// also for cases that send what ended the target each time, if its last output was the same.
bool jck_ledger_trusts(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen);
// Notes whether a second look showed the same.
void jck_ledger_note_confirmed(jck_ledger *ledger, const jck_case *test_case,
                               const jck_attempt *seen, bool same);
// Notes that nothing came for a case in the full time.
void jck_ledger_note_waited(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen);
// Whether that has happened to so many cases of this kind that others need not wait.
bool jck_ledger_has_waited(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen);
// Whether that has happened at all.
bool jck_ledger_was_waited(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen);
// Notes once whether a case with a verdict ended the target or left it mute. `final`: the verdict
// will not change any more.
void jck_ledger_note_fate(jck_ledger *ledger, jck_execution *execution, bool final);
// What the case would only repeat, because it has ended the target or left it mute often enough;
// *ret_rule is the rule that this breaks, or NULL. SURVIVED: the case is worth running.
jck_fate jck_ledger_expects(jck_ledger *ledger, const jck_case *test_case,
                            const jck_rule **ret_rule);
// Learns from the record of a case how fast the target answers (see jck_pace_note), and notes that
// a hurried look missed an answer that came within the full time.
void jck_ledger_note_pace(jck_ledger *ledger, const jck_evidence *evidence);
void jck_ledger_note_misjudged(jck_ledger *ledger);
// Learns from the record of a case which kinds of messages the target leaves unanswered.
void jck_ledger_note_silences(jck_ledger *ledger, const jck_evidence *evidence);
// Those kinds, as bits (see jck_silences_usual).
uint32_t jck_ledger_silences(jck_ledger *ledger);
// This number of workers begins to share the target.
void jck_ledger_begin_crowd(jck_ledger *ledger, unsigned workers);
// Whether a worker should leave because answers take so much longer than they did for one that the
// target seems to deal with one message after the other: if so, it is taken to have left.
bool jck_ledger_is_crowded(jck_ledger *ledger);
// Whether `more` workers may join: since the last change in their number, the mean time of an
// answer is at most 1 + 1/part of what it was for a single worker. If so, they are counted as
// present. Called with the lock held.
bool jck_ledger_has_room(jck_ledger *ledger, unsigned more, int64_t part);
// Adds to the count of new processes that showed only what the connection had shown, and returns
// that count.
unsigned jck_ledger_restarts_in_vain(jck_ledger *ledger, unsigned more);
// How long a first look lasts, and how long a missing answer is waited for before that is believed,
// from what was learned.
jck_timing jck_ledger_timing(jck_ledger *ledger);
jck_timing jck_ledger_full(jck_ledger *ledger, bool does_work);
// Whether workers share a target whose answers take so long that a case may miss its time only
// because of the others.
bool jck_ledger_is_strained(jck_ledger *ledger);
// Lets a worker and the others know what was learned about many messages at once.
void jck_ledger_share_many(jck_ledger *ledger, jck_many *many);
// Lets a worker and the others know that the target refuses what comes too fast.
void jck_ledger_share_limit(jck_ledger *ledger, jck_link *link);
// Whether that was seen: then a single worker is fast enough.
bool jck_ledger_is_limited(jck_ledger *ledger);
// Whether an answer to a message of the case refused it for that reason, so that it is worth
// running again. `again`: it was.
bool jck_ledger_is_refused(jck_ledger *ledger, const jck_evidence *evidence, bool again);
// The mean time of an answer, in microseconds; 0 where none was seen.
int64_t jck_ledger_mean_us(jck_ledger *ledger);
// On a busy machine, doubts may take up to so many times as long.
#define JCK_DOUBT_TIMES_MOST 4
// Adds to the time spent on doubts; returns what is left for them on an idle machine, in
// microseconds.
int64_t jck_ledger_doubt(jck_ledger *ledger, int64_t spent_us);
// Notes that a case that was owed no answer got one after `late_us`.
void jck_ledger_note_late(jck_ledger *ledger, int64_t late_us, const jck_case *answered);
// Whether to look for late answers: once per run, because it takes seconds.
bool jck_ledger_asks_late(jck_ledger *ledger);
// Whether to report that the target closes connections instead of answering: once per run.
bool jck_ledger_reports_swallowing(jck_ledger *ledger);
// How many milliseconds to listen after the end of a case that is owed no answer, because answers
// were seen to come late; 0: not at all, or enough of them were seen.
int64_t jck_ledger_lateness(jck_ledger *ledger);
// Stops the run if its time is up, and returns whether it is.
bool jck_ledger_look_at_time(jck_ledger *ledger);
// Stops the run: no further case is taken. Only the first reason counts.
void jck_ledger_stop(jck_ledger *ledger, jck_run_end end, const jrpc_error *error);
// Stops the run because there is no memory left for a case.
void jck_ledger_starve(jck_ledger *ledger);
bool jck_ledger_stopping(jck_ledger *ledger);
// Whether the run has to end at once, without further waits: interrupted, or out of time.
bool jck_ledger_has_to_end(jck_ledger *ledger);
// Whether the run was stopped because the target can no longer be reached.
bool jck_ledger_lost_target(jck_ledger *ledger);

// What is reported of one execution.
typedef struct jck_case_report {
    const char *kind; // "case" or "ground"
    const jck_case *test_case;
    jck_outcome outcome;
    const jck_reason *reason;     // NULL or code NONE where the case was judged
    const jck_company *company;   // NULL: nothing to report about it
    const jck_attempt *attempts;  // earlier attempts at the case, linked by `before`; or NULL
    jck_verdict *verdict;         // NULL for skip and blocked; repeated findings get marked in it
    const jck_evidence *evidence; // NULL where nothing was run
} jck_case_report;

// Counts the outcome and emits the event.
void jck_ledger_report(jck_ledger *ledger, const jck_case_report *report);
// The same for an execution, with all attempts made at it …
void jck_ledger_report_execution(jck_ledger *ledger, const jck_execution *execution);
// … and for a verdict without an execution; `evidence` may be NULL.
// Reports how far live fuzzing has come.
void jck_ledger_report_fuzz(jck_ledger *ledger, const jck_fuzz_event *event);
void jck_ledger_report_verdict(jck_ledger *ledger, const jck_case *test_case, jck_verdict *verdict,
                               const jck_evidence *evidence);
// Learns from a ground case which rules the target breaks and how it answers unknown methods.
void jck_ledger_learn(jck_ledger *ledger, const jck_case *ground, const jck_verdict *verdict,
                      const jck_evidence *evidence);
// Whether a ground case has shown that the target breaks the rule.
bool jck_ledger_is_broken(const jck_ledger *ledger, jrpc_slice rule);
// Whether the case depends on a broken rule; *ret_rule is that rule.
bool jck_ledger_blocks(const jck_ledger *ledger, const jck_case *test_case, jrpc_slice *ret_rule);

#endif
