// Whether a target reads consecutive JSON values where lines are spoken, as decoders of streams do.
#ifndef JCK_RUN_VALUES_H
#define JCK_RUN_VALUES_H

#include "harness/evidence/evidence.h"
#include "harness/suite/target.h"

// Whether two calls on one line were answered one by one. A target that takes lines as messages
// refuses such a line, or answers one of the calls. False if the target's framing is not lines, or
// was chosen by the user.
bool jck_values_shown(const jck_target *target, const jck_evidence *evidence);

#endif
