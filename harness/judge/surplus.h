// Private to the judge: messages in addition to the one Response that is required, and messages
// that answer no step.
#ifndef JCK_JUDGE_SURPLUS_H
#define JCK_JUDGE_SURPLUS_H

#include "harness/judge/answers.h"

// Reports a Response that has id null and was received instead of a fence's answer; false if it is
// another one.
bool jck_add_fence_without_id(jck_trial *trial, const jck_answers *answers, jrpc_json response);
// Reports a parse error that was received instead of a fence's answer, after text that was not
// JSON; false if it is another answer, or if all fences were answered.
bool jck_add_spoilt_fence(jck_trial *trial, const jck_answers *answers, jrpc_json response);
// Removes from the answers what does not belong to them, and reports it: Responses to calls on
// other connections, messages received instead of a fence's answer, and repetitions. The parts of a
// declared stream become one answer.
void jck_fold_surplus(jck_trial *trial, jck_answers *answers);
// Adds a finding if more than one message was received.
void jck_add_surplus(jck_trial *trial, const jck_answers *answers);
// Judges the first output on each connection like any Response. Comes before the steps: if its
// length cuts it off, its rest, which came in a step, is not reported again.
void jck_judge_openings(jck_trial *trial);
// Reports answers to fences that were already answered or never sent, and what else lies beside the
// steps.
void jck_judge_asides(jck_trial *trial);

// Reports an answer received instead of the one that is due and with the id of a fence or of an
// earlier case. It is unknown which of the two messages it answers. Otherwise false.
bool jck_add_misdirected(jck_trial *trial, const jck_answers *answers);

// Reports a parse error that has the id of another call; false if it is another answer.
bool jck_has_stale_id(jck_trial *trial, const jck_answers *answers);

// Whether the answer to a fence was repeated in a step, or in any (-1), and not counted as another
// answer: the repetition is reported, and the answer that it replaces is not reported as missing
// too.
bool jck_is_answered_again(const jck_trial *trial, int step);

#endif
