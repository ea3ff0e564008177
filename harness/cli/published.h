// Which published targets break a rule: reports/index.json, made by `jrpcheck report … --report
// index=FILE`.
#ifndef JCK_CLI_PUBLISHED_H
#define JCK_CLI_PUBLISHED_H

#include "harness/cli/options.h"
#include "reference/base/slice.h"

// Prints the targets that break a rule, worst first; nothing if no index is installed or none of
// them does. False with *error (its source is the file) if the index cannot be read.
bool jck_published_show(jck_options *options, jrpc_slice rule, jrpc_error *error);

#endif
