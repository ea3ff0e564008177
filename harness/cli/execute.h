// One run from start to exit code: target, signals, reports, transcript, baseline.
#ifndef JCK_CLI_EXECUTE_H
#define JCK_CLI_EXECUTE_H

#include "harness/cli/exit.h"
#include "harness/cli/options.h"
#include "harness/link/link.h"
#include "harness/run/runner.h"
#include "harness/suite/suite.h"
#include "harness/suite/target.h"

struct jck_worker;

typedef struct jck_assignment {
    jck_options *options; // borrowed, like all that follows
    const jck_suite *suite;
    jck_target *target;
    jck_target *against; // the parsers that it is compared with
    size_t against_count;
    jck_side side;        // which the cases test
    const bool *selected; // one per case of the suite
    const char *repro;    // what follows "jrpcheck repro CASE" for the target; or NULL
    const char *self;     // the path of this program, for a client that starts its server
    uint32_t nonce;
    uint64_t seed;
    unsigned verbose; // as in jck_report_options
    // Runs the selected cases; NULL: jck_run.
    void (*run)(const jck_run_options *options, jck_run_result *ret_result);
    bool without_grounds; // the reports do not get ground cases that were not selected
    // As in jck_run_options; NULL: the cases are run.
    void (*explore)(void *explorer, struct jck_worker *worker);
    void *explorer;
    int64_t explore_us; // for the ground cases and exploring together; 0: no limit
} jck_assignment;

// Makes the target that the command line names (operand number `at`, or the command after "--")
// with everything that options say about it. False after the reason was reported on standard error.
// Free with jck_target_done in any case.
bool jck_execute_target(jck_options *options, size_t at, jck_target *target);
// The same for one argument: a command with its arguments, a file, or a name.
bool jck_execute_other(jck_options *options, const char *word, jck_target *target);
// The seed of --shuffle, else a fresh one, and the nonce derived from it.
void jck_execute_seed(jck_assignment *assignment);
// The time limits for this target.
jck_timing jck_execute_timing(const jck_target *target);
// Runs the cases, with all reports that the options ask for. Errors are reported on standard error.
jck_exit jck_execute(const jck_assignment *assignment);

#endif
