// Options that would have no effect are refused: the user expects one.
#ifndef JCK_CLI_EFFECTS_H
#define JCK_CLI_EFFECTS_H

#include "harness/cli/options.h"
#include "harness/suite/target.h"

// Options that contradict each other, or need another one. False with USAGE.
bool jck_effects_check(const jck_options *options, jrpc_error *error);
// Options that do not apply to this target. False with USAGE.
bool jck_effects_check_target(const jck_options *options, const jck_target *target,
                              jrpc_error *error);

#endif
