// A profile that covers several revisions of a protocol: finds the one that the target speaks.
#ifndef JCK_CLI_REVISIONS_H
#define JCK_CLI_REVISIONS_H

#include "harness/cli/options.h"
#include "harness/suite/profile.h"

// Tries the revisions in order and reports on standard error which one it is. If the target speaks
// none of them, or has its own prelude, the profile itself is used, and the run shows the result.
// `folder` is that of the cases. NULL after the reason was reported.
const jck_profile *jck_revisions_choose(const jck_options *options, jck_suite *suite,
                                        const char *folder, const jck_profile *profile,
                                        jck_target *target);

#endif
