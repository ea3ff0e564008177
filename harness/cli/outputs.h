// The reports that a command line asks for.
#ifndef JCK_CLI_OUTPUTS_H
#define JCK_CLI_OUTPUTS_H

#include "harness/cli/options.h"
#include "harness/report/report.h"

// Opens the reports of --report; the console joins them unless another one goes to standard output
// (a console report that is asked for stands for it), or kept streams are read and any report is
// asked for. `repro` is borrowed until they are closed, may be NULL. NULL with USAGE, SYSTEM or
// MEMORY. Owned: close with jck_reports_close.
jck_reports *jck_outputs_open(const jck_options *options, unsigned verbose, jrpc_error *error);

#endif
