// Private to the judge: an answer that a step got instead of one of several that it waits for.
#ifndef JCK_JUDGE_OTHER_H
#define JCK_JUDGE_OTHER_H

#include "harness/judge/answers.h"

// Adds the finding that the call which `pattern` describes got this reply: one with its id but a
// different content, or one with the right content but an id that no call has. The finding is about
// the rule that says what the call must get, or about `otherwise` if another call must get the same
// content, so that the two may have been confused. Adds nothing if the target is known to refuse
// params of that shape.
void jck_add_other_answer(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                          jrpc_json reply, jrpc_slice otherwise);

#endif
