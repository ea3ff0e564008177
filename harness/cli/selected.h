// Selects the cases that the options ask for, and runs them.
#ifndef JCK_CLI_SELECTED_H
#define JCK_CLI_SELECTED_H

#include "harness/cli/execute.h"
#include "harness/suite/profile.h"

// Marks in `ret_selected` (one bool per case of the suite) the cases that a run selects for the
// target of the assignment. CONFORMANT; or another code after the reason was reported on standard
// error, also if no case is left.
jck_exit jck_selected_mark(const jck_assignment *assignment, const jck_profile *profile,
                           bool *ret_selected);
// Selects cases that test one side and runs them on the target that the options name, or shows the
// plan. Errors are reported on standard error.
jck_exit jck_run_selected(jck_options *options, jck_side side);

#endif
