// Keeping what was found on a target as a case file.
#ifndef JCK_CLI_SAVE_CASE_H
#define JCK_CLI_SAVE_CASE_H

#include "harness/cli/options.h"
#include "harness/suite/case.h"

// Gives a case the id that it has among what was found ("found/…"), and says where: `words` are
// those of the target. It catches no fault from then on. False when memory is out.
bool jck_mark_found(jck_options *options, const char *words, jck_case *test_case);
// Writes cases to options->save, if that is given. The suite is the folder that the file stands in,
// so that `--cases` with the folder above it runs them. False after the reason was reported.
bool jck_save_cases(jck_options *options, const jck_case *cases, size_t count);

#endif
