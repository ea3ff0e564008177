// Where the case files and the descriptions of targets are.
#ifndef JCK_CLI_DATA_H
#define JCK_CLI_DATA_H

#include "harness/cli/options.h"
#include "harness/suite/profile.h"
#include "harness/suite/suite.h"

// The folder of rules, profiles and case files: --cases if it has rules, else the first that exists
// of $JRPCHECK_DATA/cases, PREFIX/share/jrpcheck/cases next to the program, where the build
// installs to, and the source tree. In the options' arena. NULL with USAGE (the message names all
// places) or MEMORY.
const char *jck_data_cases(jck_options *options, jrpc_error *error);
// Whether JRPCHECK_DATA, if set, names a folder. False with USAGE.
bool jck_data_check(jrpc_error *error);
// The folder of targets, found like the cases, except that --cases has no effect. NULL if there is
// none.
const char *jck_data_targets(jck_options *options);
// The index of published reports, found like the targets. NULL if there is no folder of reports.
const char *jck_data_index(jck_options *options);
// The path of a program in the same folder as this one; NULL if that is unknown. In the options'
// arena.
const char *jck_data_program(jck_options *options, const char *name);

// Loads a folder of cases; one without rules is loaded beside the project's. Fails as
// jck_suite_load does.
jck_suite *jck_data_load(jck_options *options, const char *folder, jck_diagnose diagnose,
                         void *context, jrpc_error *error);
// Loads the suite that the options ask for; those of a folder without rules become the suites that
// the options name, if they name none. NULL after all mistakes were reported on standard error.
// Owned: free with jck_suite_free.
jck_suite *jck_data_load_suite(jck_options *options);

// Loads the profile that --profile names, else the target (may be NULL), else the default one,
// writes it into the suite, adds its settings for the run (strict, discover) to the options and
// those for talking to the target to the target. Once per suite. NULL after all mistakes were
// reported on standard error. Lives as long as the suite.
const jck_profile *jck_data_profile(jck_options *options, jck_suite *suite, jck_target *target);
// Only gives a target what its profile says about talking to it. False after the reason was
// reported.
bool jck_data_adopt(jck_options *options, jck_suite *suite, jck_target *target);

#endif
