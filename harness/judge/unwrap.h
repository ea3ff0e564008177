// Turns the answer of a method that wraps a capability into the answer of the capability itself.
#ifndef JCK_JUDGE_UNWRAP_H
#define JCK_JUDGE_UNWRAP_H

#include "harness/judge/trial.h"

// The evidence with the result of each call that the target's description wraps replaced by the
// result inside it: the trial's own evidence, or a copy in the trial's arena. A result with nothing
// at that place stays as it is. All other bytes stay too, so that what holds for every Response is
// still judged by what came.
const jck_evidence *jck_unwrapped(jck_trial *trial);

#endif
