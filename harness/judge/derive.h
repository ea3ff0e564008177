// Private to the judge: the expectation "owed", derived from the message that was sent.
#ifndef JCK_JUDGE_DERIVE_H
#define JCK_JUDGE_DERIVE_H

#include "harness/judge/answers.h"

// What the specification requires for the message of the step, as an expectation whose pattern
// lives as long as the trial. If nothing can be derived, anything is accepted: for a Response that
// was sent, for text too deeply nested to be read, and if out of memory (the trial's arena records
// that).
jck_expect jck_derive_expectation(jck_trial *trial, const jck_answers *answers);

#endif
