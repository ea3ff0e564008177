// A profile that was loaded beside the promises that the model read in its files.
#ifndef JRPC_FUZZ_MODEL_KEPT_H
#define JRPC_FUZZ_MODEL_KEPT_H

#include "fuzz/model/promises.h"
#include "harness/suite/profile.h"

// Everything that the profile says is what the model read, and in that order.
void promises_require_kept(tree_pool *pool, const jck_profile *profile, const promise *model);

// A target to which the profile is given says what it said itself, and all else as the profile has
// it; the bits of `choice` are what it says.
void promises_require_adopted(const jck_profile *profile, unsigned choice);

#endif
