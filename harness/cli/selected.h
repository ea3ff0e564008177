// From the options to the cases that run, and their run.
#ifndef JCK_CLI_SELECTED_H
#define JCK_CLI_SELECTED_H

#include "harness/cli/execute.h"
#include "harness/suite/profile.h"

// Selects cases of the side that the assignment names, and runs them, or shows the plan. What is
// wrong is told on standard error.
jck_exit jck_run_selected(jck_assignment *assignment, const jck_profile *profile);

#endif
