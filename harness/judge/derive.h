// Private to the judge: the expectation "owed", derived from the message that was sent.
#ifndef JCK_JUDGE_DERIVE_H
#define JCK_JUDGE_DERIVE_H

#include "harness/judge/answers.h"

// What the specification owes for the message of the step, as an expectation whose pattern lives as
// long as the trial. If nothing can be derived, anything: for a Response that was sent, for text
// too deeply nested to be read, and when memory is out (the trial's arena says so).
jck_expect jck_derive_expectation(jck_trial *trial, const jck_answers *answers);

#endif
