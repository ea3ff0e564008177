// --openrpc: the description of the service under test, from a file or from the service.
#ifndef JCK_CLI_DESCRIBED_H
#define JCK_CLI_DESCRIBED_H

#include "harness/cli/options.h"
#include "harness/suite/suite.h"
#include "harness/suite/target.h"

// Reads the description that the options name, if any: a file, "discover" for the one that the
// target gives (its profile is adopted), or "tools" for what an MCP server says of its tools.
// Reports mistakes in a file. Adds a case for each example to the suite `openrpc`, which joins the
// default suites. False after the reason was reported.
bool jck_described_take(jck_options *options, jck_suite *suite, jck_target *target);

#endif
