// What is checked once a whole suite could be loaded.
#ifndef JCK_CLI_LINT_SUITE_H
#define JCK_CLI_LINT_SUITE_H

#include "harness/cli/faults.h"
#include "harness/suite/suite.h"

// Tells `diagnose` of: rules without a case that are not marked untestable, client or judge and
// whose specification has a folder of cases; ground cases that do not exist, and rules that others
// stand on without one; faults that do not exist (`faults` may be NULL: not checked); cases that
// catch no fault; expectations that contradict what is owed. False with *error when it could not be
// done.
bool jck_lint_suite(const jck_suite *suite, const jck_faults *faults, jck_diagnose diagnose,
                    void *context, jrpc_error *error);

#endif
