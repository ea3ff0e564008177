// A run: every planned case is executed, judged and reported. Each job is a worker with a link of
// its own.
#ifndef JCK_RUN_RUNNER_H
#define JCK_RUN_RUNNER_H

#include "harness/drive/client.h"
#include "harness/judge/judge.h"
#include "harness/link/link.h"
#include "harness/run/execution.h"
#include "harness/run/plan.h"
#include "harness/suite/suite.h"
#include "harness/suite/target.h"

#include <stdbool.h>
#include <stdint.h>

struct jck_worker;

typedef struct jck_run_options {
    const jck_suite *suite; // borrowed, like all that follows
    jck_target *target;
    jck_plan_options plan;
    jck_timing timing;
    unsigned jobs;    // connections, or processes, used at the same time; 0: as many as pay off
    int64_t max_us;   // for the whole run; 0: no bound
    bool strict;      // a warning makes the run non-conformant
    bool discover;    // look for methods of section 7 that no mapping names
    bool fail_fast;   // stop after the first case that makes the run non-conformant
    uint32_t nonce;   // part of every id that is made up
    int interrupt_fd; // once readable: stop, and finish the stream; -1: none
    const jrpc_clock *clock;
    // Receives each event line; called by one thread at a time.
    void (*emit)(void *context, jrpc_slice line);
    void *context;
    jck_target *against; // a parser: those to compare it with
    size_t against_count;
    bool each;           // a parser: its command is started anew for each text
    bool generates;      // a parser: generated texts instead of those in the cases
    size_t texts;        // a parser that is fuzzed: how many texts; 0: until the time is up
    const char *words;   // what follows "jrpcheck repro CASE" for this target, or NULL
    const char *command; // what follows "jrpcheck" to repeat the run, or NULL
    // What each worker does after the ground cases instead of running the planned cases (live
    // fuzzing); NULL: it runs them.
    void (*explore)(void *explorer, struct jck_worker *worker);
    void *explorer;
    // Whether the baseline expects this outcome of this case; may be NULL.
    bool (*expects)(void *baseline, const jck_case *test_case, jck_outcome outcome);
    void *baseline;
    // The side that is tested and, for a client, how its driver is used.
    jck_side side;
    jck_client_options client;
} jck_run_options;

typedef enum jck_run_end {
    JCK_RUN_FINISHED,
    JCK_RUN_UNOPENED, // the target could not be started or opened (again)
    JCK_RUN_MUTE,     // it does not answer, or no longer: reported as a finding
    JCK_RUN_INTERRUPTED,
    JCK_RUN_FAULT,   // our own failure
    JCK_RUN_TIME_UP, // its time limit was reached
} jck_run_end;

typedef struct jck_run_result {
    jck_run_end end;
    size_t counts[JCK_OUTCOME_COUNT];
    size_t judged;              // cases with a verdict
    size_t skipped;             // skip and blocked
    size_t ways[JCK_WAY_COUNT]; // how they came to their verdicts
    size_t driver_mistakes;     // cases in which the driver of a client broke its protocol
    size_t unexpected; // cases that make the run non-conformant and are not in the baseline
    bool conformant;
    jck_spent spent; // of all workers together
    uint64_t timers_expired;
    size_t sessions_lost; // sessions that the target ended and that were begun again
    jrpc_error error;     // for UNOPENED, MUTE and FAULT
} jck_run_result;

// Runs. However it ends, the stream is complete: it begins with `start` and ends with `finish`.
void jck_run(const jck_run_options *options, jck_run_result *ret_result);

#endif
