// Saves what was found on a target as a case file.
#ifndef JCK_CLI_SAVE_CASE_H
#define JCK_CLI_SAVE_CASE_H

#include "harness/cli/options.h"
#include "harness/suite/case.h"

// Gives a case a new id ("found/…") and records the target that it was found on: `words` are those
// that name it. The case no longer catches a fault. False if out of memory.
bool jck_mark_found(jck_options *options, const char *words, jck_case *test_case);
// Writes cases to options->save, if given. The suite is named after the file's folder, so that
// `--cases` with its parent folder runs them. False after the reason was reported.
bool jck_save_cases(jck_options *options, const jck_case *cases, size_t count);

#endif
