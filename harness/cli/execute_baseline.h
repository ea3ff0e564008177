// The baseline of a run: reading it, applying it to the verdict, updating it.
#ifndef JCK_CLI_EXECUTE_BASELINE_H
#define JCK_CLI_EXECUTE_BASELINE_H

#include "harness/baseline/baseline.h"
#include "harness/cli/exit.h"
#include "harness/cli/file_uses.h"
#include "harness/cli/options.h"
#include "harness/suite/target.h"

// Reads the baseline that --baseline or the target names into `baseline` (empty); *ret points to
// it, or is NULL if there is none. False after the reason was reported: the file is invalid, or
// --update-baseline is combined with something that makes the run a partial one.
bool jck_execute_baseline_open(const jck_options *options, const jck_target *target,
                               jck_baseline *baseline, jck_baseline **ret);
// Records that the file is read, or will be written.
void jck_execute_baseline_use(const jck_options *options, const jck_target *target,
                              jck_file_uses *uses);
// After the run: reports entries that no longer apply, or rewrites the file. `status` is the exit
// code so far; the final one is returned. `finished`: all planned cases ran.
jck_exit jck_execute_baseline_close(const jck_options *options, const jck_target *target,
                                    const jck_baseline *baseline, jck_exit status, bool finished);

#endif
