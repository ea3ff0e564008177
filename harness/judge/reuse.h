// Private to the judge: whether the id of a message was used before it.
#ifndef JCK_JUDGE_REUSE_H
#define JCK_JUDGE_REUSE_H

#include "harness/judge/answers.h"

// Whether the id of what the step sent was used before on the connection, in a message that had
// been dealt with: in the case itself, or in the cases that its failure needs before it.
bool jck_uses_id_again(jck_trial *trial, const jck_answers *answers);

#endif
