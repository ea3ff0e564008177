// Private to the judge: which rule a missing Response breaks, and one that should be missing.
#ifndef JCK_JUDGE_SILENCE_H
#define JCK_JUDGE_SILENCE_H

#include "harness/judge/answers.h"

// Adds the finding that the answer is missing, and what happened instead. `otherwise` as in
// jck_blamed_rule.
void jck_add_silence(jck_trial *trial, const jck_answers *answers, jrpc_slice otherwise);
// Names the silence that the findings from `first` on report, where it is the same in many cases.
void jck_name_silence(jck_trial *trial, size_t first, const jck_answers *answers);
// What came instead of the answer that is missing, as a clause.
const char *jck_describe_missing_answer(const jck_trial *trial, const jck_answers *answers);
// The rule that an answer breaks where none is owed: a notification that is answered breaks the
// rules of notifications, whatever else the case is after.
jrpc_slice jck_rule_of_silence(const jck_trial *trial, const jck_answers *answers);

#endif
