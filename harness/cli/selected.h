// Selects the cases that the options ask for, and runs them.
#ifndef JCK_CLI_SELECTED_H
#define JCK_CLI_SELECTED_H

#include "harness/cli/exit.h"
#include "harness/cli/options.h"
#include "harness/suite/case.h"

// Selects cases that test one side and runs them on the target that the options name, or shows the
// plan. Errors are reported on standard error.
jck_exit jck_run_selected(jck_options *options, jck_side side);

#endif
