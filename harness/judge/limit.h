// Private to the judge: messages that a server may refuse because of limits that it sets.
#ifndef JCK_JUDGE_LIMIT_H
#define JCK_JUDGE_LIMIT_H

#include "harness/judge/answers.h"

// Whether one server-defined error, without an id or for the call, refuses a message that is long,
// nested deep, or a batch of many elements; it is recorded.
bool jck_is_refused_for_limit(jck_trial *trial, const jck_answers *answers);

#endif
