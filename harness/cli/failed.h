// The cases that failed in an earlier run.
#ifndef JCK_CLI_FAILED_H
#define JCK_CLI_FAILED_H

#include "harness/cli/options.h"
#include "harness/suite/suite.h"

// Marks in `ret_failed` (one bool per case of the suite) the cases that failed in the stream of
// --only-failed: those that made that run non-conformant, and with --strict those that warned.
// False after the reason was reported: the file is not a stream, or no case in it failed.
bool jck_failed_read(const jck_options *options, const jck_suite *suite, bool *ret_failed);

#endif
