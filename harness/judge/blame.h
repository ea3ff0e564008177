// Private to the judge: which rule a wrong answer breaks, where that is not simply the case's own.
#ifndef JCK_JUDGE_BLAME_H
#define JCK_JUDGE_BLAME_H

#include "harness/judge/response.h"

// The rule that a difference is held against: the one of the owed error code when the case lists
// it and the difference is silence or a wrong code, else `otherwise`, else the case's first rule.
jrpc_slice jck_blamed_rule(jck_trial *trial, const jck_answers *answers, jck_difference difference,
                           jrpc_slice otherwise);
// Whether another message of the case than the one with this id is owed an error of this code: then
// an answer of it may be one that was mixed up.
bool jck_is_owed_to_another(jck_trial *trial, jrpc_json id, int64_t code);
// Reports `[]` in the place of an answer, any Array as the answer to an empty batch, and a parse
// error in an Array; false if it is none of these, or the case is to judge it.
bool jck_add_array(jck_trial *trial, const jck_answers *answers);
// Whether the target read text that is not JSON as an Array, as it may, and refused that as it is
// known to refuse batches: then the rule about the Array of a batch blocks the case.
bool jck_blocked_by_batches(jck_trial *trial, const jck_answers *answers);
// Whether the target refused a call for the shape of its params, as it is known to, where the case
// is about something else: then the rule about params of that shape blocks the case.
bool jck_blocked_by_params_shape(jck_trial *trial, const jck_answers *answers);

#endif
