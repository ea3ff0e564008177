// Private to the judge: what was expected, and how an answer differs from it, in words.
#ifndef JCK_JUDGE_WANTED_H
#define JCK_JUDGE_WANTED_H

#include "harness/judge/answers.h"

// "error -32600 with id null", "result 19", "an Array of 2 Responses", "no Response", "error -32601
// or error -32600 with id null". Never empty.
const char *jck_describe_expectation(jck_trial *trial, const jck_expect *expect);
// The same for the pattern of one Response.
const char *jck_describe_response(jck_trial *trial, jrpc_json pattern);
// The same for the pattern of any message.
const char *jck_describe_message(jck_trial *trial, jrpc_json pattern);
// Why a Response is not one of those that `expect` asks for: "the code is -32603", "it is a result,
// not an error".
const char *jck_describe_difference(jck_trial *trial, const jck_expect *expect,
                                    const jck_answers *answers, jrpc_json response);
const char *jck_describe_response_difference(jck_trial *trial, jrpc_json pattern,
                                             const jck_answers *answers, jrpc_json response);
// Names the difference if a message whose method is missing or not a String was answered like a
// call of an unknown method; otherwise false.
bool jck_name_taken_for_call(jck_trial *trial, size_t first, const jck_answers *answers,
                             jrpc_json response);
// Names the difference if there was a result for a message that requires an error, or if the
// pattern asks for an error; otherwise false.
bool jck_name_result(jck_trial *trial, size_t first, jrpc_json pattern, const jck_answers *answers,
                     jrpc_json response);
// Names a wrong result of the method that a call names.
void jck_name_other_result(jck_trial *trial, size_t first, jrpc_json call);
// Names what is wrong with a Response if the same can occur in many cases (jck_name_difference):
// one error code instead of another, an error instead of a result, a wrong result of a method.
void jck_name_response_difference(jck_trial *trial, size_t first, jrpc_json pattern,
                                  const jck_answers *answers, jrpc_json response);

// Why the result of a Response does not match a pattern, or any alternative of an expectation
// (jck_matching_reason); NULL: the description of the expectation shows it.
const char *jck_describe_reason(jck_trial *trial, jrpc_json pattern, jrpc_json response);
const char *jck_describe_reasons(jck_trial *trial, const jck_expect *expect, jrpc_json response);
// The text after "expected …": the Response that was received, with the reason if there is one,
// otherwise how it differs.
const char *jck_describe_contrast(jck_trial *trial, jrpc_json response, const char *reason,
                                  const char *difference);

// Names the difference in an answer that an alternative accepts only with a warning: an Internal
// error, a result, another id, or text that is not JSON but was read.
void jck_name_accepted(jck_trial *trial, size_t first, const jck_answers *answers,
                       const jck_expect *alternative);

// The only pattern of one Response among the alternatives that pass, or ABSENT.
jrpc_json jck_single_pattern(const jck_expect *expect);

// What the specification requires for the message of the step, as an expectation whose pattern
// lives as long as the trial. If nothing can be derived, anything is accepted: for a Response that
// was sent, for text too deeply nested to be read, and if out of memory (the trial's arena records
// that).
jck_expect jck_derive_expectation(jck_trial *trial, const jck_answers *answers);

#endif
