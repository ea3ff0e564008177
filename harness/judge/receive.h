// Private to the judge: a step that waits for messages.
#ifndef JCK_JUDGE_RECEIVE_H
#define JCK_JUDGE_RECEIVE_H

#include "harness/judge/answers.h"

// Judges the messages of a RECEIVE step.
void jck_judge_receive(jck_trial *trial, const jck_step *step, const jck_answers *answers);

#endif
