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

// The same for the answer to a batch: judges the Array that came in place of the one that `pattern`
// describes by its elements.
void jck_add_other_batch(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                         jrpc_json reply);

// Whether a pattern describes the answer to a call.
bool jck_describes_answer(jrpc_json pattern);
// Replaces each reply that is an Array of one Response with this Response, if the call with its id
// was not in a batch, and reports the Array.
void jck_take_out_of_arrays(jck_trial *trial, const jck_answers *answers);

// Reports `[]` as an answer, any Array as the answer to an empty batch, and a parse error in an
// Array; false if it is not one of these, or if the case judges it itself.
bool jck_add_array(jck_trial *trial, const jck_answers *answers);

// Reports a Response to one message that came in an Array; `role` of the rule that this breaks.
void jck_add_wrapped(jck_trial *trial, const jck_answers *answers, jck_role role, jrpc_json array);

#endif
