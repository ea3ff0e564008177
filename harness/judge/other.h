// Private to the judge: what a step that waits for several answers got in the place of one.
#ifndef JCK_JUDGE_OTHER_H
#define JCK_JUDGE_OTHER_H

#include "harness/judge/answers.h"

// Adds the finding that the call which `pattern` is about got this reply: with its id something
// else than the pattern asks for, or just that with an id that no call has. It is held against the
// sentence about what the call is owed; against `otherwise` where another call is owed just that,
// so that the two may have been mixed up. Nothing is added where the target is known to refuse
// params of that shape.
void jck_add_other_answer(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                          jrpc_json reply, jrpc_slice otherwise);

#endif
