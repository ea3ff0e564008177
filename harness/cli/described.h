// --openrpc: the description of the service under test, from a file or from itself.
#ifndef JCK_CLI_DESCRIBED_H
#define JCK_CLI_DESCRIBED_H

#include "harness/cli/options.h"
#include "harness/suite/suite.h"
#include "harness/suite/target.h"

// Reads the description that the options name, if any, says what is wrong with one of a file, and
// adds a case for each of its examples to the suite, which joins the default ones. "discover" asks
// the target, whose profile is adopted, for it. False after the reason was reported.
bool jck_described_take(jck_options *options, jck_suite *suite, jck_target *target);

#endif
