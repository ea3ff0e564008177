// Private to the runner: what a run has learned and counted so far, shared by its workers.
#ifndef JCK_RUN_LEDGER_H
#define JCK_RUN_LEDGER_H

#include "harness/judge/repeats.h"
#include "harness/link/host.h"
#include "harness/run/runner.h"

#include <pthread.h>

typedef struct jck_ledger {
    const jck_run_options *options;
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
    pthread_cond_t left; // a worker has left what it was running
    size_t running;      // workers at a case
    size_t waiting;      // workers that wait to be alone
    bool alone;          // one worker is
    jrpc_buffer line;
    jck_repeats repeats;
    // Written while the grounds run, by one worker alone; only read afterwards.
    jck_calibration calibration;
    jrpc_slice *broken;
    bool silent_on_parse_error;
    bool silent_on_batch;
    bool mute_on_parse_error; // after such text the connection answers nothing any more
} jck_ledger;

bool jck_ledger_init(jck_ledger *ledger, const jck_run_options *options, jrpc_arena *arena);
void jck_ledger_done(jck_ledger *ledger);

// A number for the next execution.
uint32_t jck_ledger_serial(jck_ledger *ledger);
// The next case to run, or NULL when all are taken or the run is stopping.
const jck_case *jck_ledger_take(jck_ledger *ledger, const jck_plan *plan);
// Before and behind the run of a case. `alone`: no other worker runs one meanwhile, because the
// case counts effects on a server that all of them share.
void jck_ledger_enter(jck_ledger *ledger, bool alone);
void jck_ledger_leave(jck_ledger *ledger);
// A worker's case saw the crash of a generation, and is about to be run alone …
void jck_ledger_suspect(jck_ledger *ledger, uint32_t generation);
// … and brought it about again, or did not. True if nobody is left who could have: then the crash
// is told where it was seen.
bool jck_ledger_resolve(jck_ledger *ledger, uint32_t generation, bool guilty);
// Stops the run: no further case is taken. The first reason stays.
void jck_ledger_stop(jck_ledger *ledger, jck_run_end end, const jrpc_error *error);
bool jck_ledger_stopping(jck_ledger *ledger);

// What is told of one execution.
typedef struct jck_told {
    const char *kind; // "case" or "ground"
    const jck_case *test_case;
    jck_outcome outcome;
    const jck_reason *reason;     // code NONE where the case was judged
    jck_verdict *verdict;         // NULL for skip and blocked; what repeats is marked in it
    const jck_evidence *evidence; // NULL where nothing was run
} jck_told;

// Counts the outcome and emits the event.
void jck_ledger_tell(jck_ledger *ledger, const jck_told *told);
// Learns from a ground case: which rules it shows to be broken, how unknown methods are answered.
void jck_ledger_learn(jck_ledger *ledger, const jck_case *ground, const jck_verdict *verdict,
                      const jck_evidence *evidence);
// Whether a ground case has shown that the target breaks the rule.
bool jck_ledger_is_broken(const jck_ledger *ledger, jrpc_slice rule);
// Whether the case stands on a rule that is broken; *ret_rule is that rule.
bool jck_ledger_blocks(const jck_ledger *ledger, const jck_case *test_case, jrpc_slice *ret_rule);

#endif
