// What a run would do, without doing it.
#ifndef JCK_CLI_PLAN_SHOW_H
#define JCK_CLI_PLAN_SHOW_H

#include "harness/cli/execute.h"

// Prints every selected case with "run", or with "skip" and the reason, and the number of each. The
// target is neither started nor connected to.
jck_exit jck_plan_show(const jck_assignment *assignment);

#endif
