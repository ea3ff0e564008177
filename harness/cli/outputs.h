// The reports that a command line asks for.
#ifndef JCK_CLI_OUTPUTS_H
#define JCK_CLI_OUTPUTS_H

#include "harness/cli/options.h"
#include "harness/report/report.h"

// Opens the reports of --report. A console report is added unless one was asked for, another report
// uses standard output, or stored streams are read and any report was asked for. `repro` (may be
// NULL) is borrowed until the reports are closed. NULL with USAGE, SYSTEM or MEMORY. Owned: close
// with jck_reports_close.
jck_reports *jck_outputs_open(const jck_options *options, unsigned verbose, jrpc_error *error);

#endif
