// A profile that stands for several revisions of a protocol: the one that the target speaks.
#ifndef JCK_CLI_REVISIONS_H
#define JCK_CLI_REVISIONS_H

#include "harness/cli/options.h"
#include "harness/suite/profile.h"

// Tries the revisions in their order and says on standard error which one it is. Where none is
// spoken, or the target has a prelude of its own, the profile holds as it stands: the run shows
// what comes of it. `folder` is that of the cases. NULL after the reason was reported.
const jck_profile *jck_revisions_choose(const jck_options *options, jck_suite *suite,
                                        const char *folder, const jck_profile *profile,
                                        jck_target *target);

#endif
