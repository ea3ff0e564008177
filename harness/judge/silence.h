// Private to the judge: which rule a missing Response breaks, and one that should be missing.
#ifndef JCK_JUDGE_SILENCE_H
#define JCK_JUDGE_SILENCE_H

#include "harness/judge/answers.h"

// Adds the finding that the answer is missing, and what happened instead. `otherwise` as in
// jck_blamed_rule.
void jck_add_silence(jck_trial *trial, const jck_answers *answers, jrpc_slice otherwise);
// Whether the answer is missing because the target crashed or answers nothing any more. That is a
// finding of its own, whatever the case is after (see jck_judge), and a root cause counts once.
bool jck_is_lost_with_target(const jck_trial *trial, const jck_answers *answers);
// Names the silence that the findings from `first` on report, where it is the same in many cases.
void jck_name_silence(jck_trial *trial, size_t first, const jck_answers *answers);
// Names the answer to what owes none that the findings from `first` on report: the same difference
// alone and in a batch, and under whatever rule.
void jck_name_answer_to_notification(jck_trial *trial, size_t first, jrpc_json answer);
// What came instead of the answer that is missing, as a clause.
const char *jck_describe_missing_answer(const jck_trial *trial, const jck_answers *answers);
// The rule that an answer breaks where none is owed: a notification that is answered breaks the
// rules of notifications, whatever else the case is after.
jrpc_slice jck_rule_of_silence(const jck_trial *trial, const jck_answers *answers);

#endif
