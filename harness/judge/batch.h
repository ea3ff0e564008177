// Private to the judge: the answer to a batch.
#ifndef JCK_JUDGE_BATCH_H
#define JCK_JUDGE_BATCH_H

#include "harness/judge/answers.h"

// Judges the one batch answer: its elements are paired with `patterns`, in any order; `otherwise`
// as in jck_blamed_rule.
void jck_judge_batch(jck_trial *trial, jrpc_json patterns, const jck_answers *answers,
                     jrpc_slice otherwise);
// Reports a Response of the one batch answer whose position is that of another pattern. Reports
// nothing if the number of Responses differs from that of the patterns.
void jck_judge_batch_order(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);
// Whether the batch answer matches; adds no findings.
bool jck_batch_matches(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);
// Whether everything expected was received, though not in the right form: without an Array, or with
// further messages.
bool jck_batch_holds(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);
// Whether one of the expected Responses was received, by itself and without an Array.
bool jck_batch_has(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);

// Whether one error without an id is all that was received.
bool jck_is_refused_whole(const jck_answers *answers);
// How many of `patterns` have a Response of their own in the answer; adds no findings.
size_t jck_batch_agreement(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);

// Names the difference if anything other than an Array of all Responses answers a batch.
void jck_name_batch(jck_trial *trial, size_t first, const jck_answers *answers,
                    const jck_expect *expect);

#endif
