// Private to the judge: the expectation of a step that sends.
#ifndef JCK_JUDGE_EXPECTATION_H
#define JCK_JUDGE_EXPECTATION_H

#include "harness/judge/answers.h"

// Judges the answers to a SEND step.
void jck_judge_expectation(jck_trial *trial, const jck_expect *expect, const jck_answers *answers);

#endif
