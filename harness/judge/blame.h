// Private to the judge: which rule is broken by an answer that is wrong (unless it is simply the
// case's own rule), missing, or unexpected.
#ifndef JCK_JUDGE_BLAME_H
#define JCK_JUDGE_BLAME_H

#include "harness/judge/response.h"

// The rule that a difference breaks: that of the owed error code if the case lists it and the
// difference is silence or a wrong code, otherwise `otherwise`, otherwise the case's first rule.
jrpc_slice jck_blamed_rule(jck_trial *trial, const jck_answers *answers, jck_difference difference,
                           jrpc_slice otherwise);
// Whether a message of the case other than the one with this id is owed an error with this code:
// then such an answer may have been mixed up.
bool jck_is_owed_to_another(jck_trial *trial, jrpc_json id, int64_t code);
// The role of the rule about params by position, or by name, if a method that computes with them
// gave a wrong result in a batch, which is not that of another call of the case: `call` is its
// element, `rule` the one that the case is about. NONE otherwise.
jck_role jck_role_of_wrong_result(const jck_trial *trial, jrpc_slice rule, jrpc_json call,
                                  jrpc_json result);

// Adds the finding that the answer is missing, and what happened instead. `otherwise` as in
// jck_blamed_rule.
void jck_add_silence(jck_trial *trial, const jck_answers *answers, jrpc_slice otherwise);
// Whether the answer is missing because the target crashed, no longer answers at all, or left
// because of an earlier message. The first two are findings of their own, whatever the case is
// about (see jck_judge), and a root cause counts once.
bool jck_is_lost_with_target(jck_trial *trial, const jck_answers *answers);
// Names the silence that the findings from `first` on report, if it is a kind that many cases see.
void jck_name_silence(jck_trial *trial, size_t first, const jck_answers *answers);
// What happened instead of the missing answer, as a clause.
const char *jck_describe_missing_answer(const jck_trial *trial, const jck_answers *answers);

#endif
