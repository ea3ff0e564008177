// What a method that wraps a capability answers, made what the capability answers.
#ifndef JCK_JUDGE_UNWRAP_H
#define JCK_JUDGE_UNWRAP_H

#include "harness/judge/trial.h"

// The evidence in which the result of each call that the target's description wraps is the one that
// stands inside of it: the trial's own evidence, or a copy of it in the trial's arena. A result
// that holds nothing at that place stays as it is. All other bytes stay too, so that what holds for
// every Response is still judged by what came.
const jck_evidence *jck_unwrapped(jck_trial *trial);

#endif
