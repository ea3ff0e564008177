// Turns the answer of a method that wraps a capability into the answer of the capability itself.
#ifndef JCK_JUDGE_UNWRAP_H
#define JCK_JUDGE_UNWRAP_H

#include "harness/judge/trial.h"

// The evidence in which the result of each call that the target's description wraps is replaced by
// the result inside it: the trial's own evidence, or a copy in the trial's arena. A result with
// nothing at that place is unchanged, as are all other bytes, so that what applies to every
// Response is still judged by what was received.
const jck_evidence *jck_unwrapped(jck_trial *trial);

#endif
