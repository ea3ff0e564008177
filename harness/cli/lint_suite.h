// Checks that need a whole loaded suite.
#ifndef JCK_CLI_LINT_SUITE_H
#define JCK_CLI_LINT_SUITE_H

#include "harness/cli/faults.h"
#include "harness/suite/suite.h"

// Reports to `diagnose`: rules without a case that are not marked untestable, client or judge and
// whose specification has a folder of cases; ground cases that do not exist, and rules without a
// ground case that others depend on; faults that do not exist (`faults` may be NULL: not checked);
// cases that catch no fault; expectations that contradict the specification's requirements. False
// with *error if the checks could not be made.
bool jck_lint_suite(const jck_suite *suite, const jck_faults *faults, jck_diagnose diagnose,
                    void *context, jrpc_error *error);

#endif
