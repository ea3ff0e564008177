// Private to the judge: steps that expect the end of the connection, or of the process.
#ifndef JCK_JUDGE_CLOSED_H
#define JCK_JUDGE_CLOSED_H

#include "harness/judge/answers.h"

// Whether the connection ended without a crash and without an answer, or the process exited in
// order, with the expected exit status if there is one.
bool jck_is_closed(const jck_trial *trial, const jck_expect *expect, const jck_answers *answers);
// Adds a finding if it did not end so.
void jck_judge_closed(jck_trial *trial, const jck_expect *expect, const jck_answers *answers);

#endif
