// Private to the judge: whether one Response is the expected one.
#ifndef JCK_JUDGE_RESPONSE_H
#define JCK_JUDGE_RESPONSE_H

#include "harness/judge/answers.h"

// How an answer differs from what was expected.
typedef enum jck_difference {
    JCK_DIFFERENCE_SILENT, // none came
    JCK_DIFFERENCE_CODE,   // an error with another code
    JCK_DIFFERENCE_ID,
    JCK_DIFFERENCE_SHAPE, // everything else
} jck_difference;

// Whether one Response matches a pattern of an expectation. `id_owed` is what the id must equal if
// the pattern does not say (ABSENT: the id is not checked). If it does not match, *ret_difference
// says how.
bool jck_response_matches(jck_trial *trial, jrpc_json pattern, jrpc_json response,
                          jrpc_json id_owed, bool absent_called, jck_difference *ret_difference);
// Whether it is an error of code -32700: the id could not be read, so that it must be null.
bool jck_is_parse_error(jrpc_json response);
// Whether a step has reported that the id of a call was lost: then it is not known which calls
// the other answers without an id belong to.
bool jck_has_lost_id(const jck_trial *trial, int step);
// Whether a text that is JSON was refused as if it were not.
bool jck_is_refused_as_text(const jck_answers *answers, jrpc_json response);
// Names that difference, the same for all findings of one rule, if the rule is about reading text;
// otherwise false.
bool jck_name_refused_text(jck_trial *trial, size_t first, const jck_answers *answers,
                           jrpc_json response);
// Whether it is an error of a code that messages without a readable id get: -32700 or -32600.
bool jck_is_owed_null(jrpc_json response);
// Whether a reply, or an element of it, is an error that says that a message was not read as a
// Request, with the id of a call of ours, which are all valid.
bool jck_is_stale(const jck_trial *trial, jrpc_json reply);
// Adds the finding that the answer to a message without a readable id has the id of another call.
void jck_add_stale_id(jck_trial *trial, int step, jrpc_json response);
// Whether a Response has an error without a readable code; the envelope reports that.
bool jck_error_is_unreadable(jrpc_json response);
// Whether an id that differs from a pattern's can only be wrong: the pattern leaves the id to the
// specification, or requires null with -32700 or -32600 (either, if no id was sent that could be
// echoed), or the id is null. (Another number may be what the case tests.)
bool jck_id_is_plainly_wrong(jrpc_json pattern, jrpc_json response, bool id_sent);
// Names the difference if the findings from `first` on report an id of the wrong type: it is the
// same for any value and under any rule.
void jck_name_wrong_id(jck_trial *trial, size_t first, jrpc_json wanted, jrpc_json id);
// ", whose id is null instead of 5" if no alternative of `expect` that passes has the id of a
// Response, where `id_owed` is that of an alternative that states none; else "".
const char *jck_describe_other_id(jck_trial *trial, const jck_expect *expect, jrpc_json id_owed,
                                  jrpc_json response);
// If a Response has only the beginning of an id that was sent, adds that finding; otherwise false.
bool jck_add_cut_id(jck_trial *trial, const jck_answers *answers, jrpc_json response);
// The id that the pattern of a Response states, the first if it allows several; ABSENT if none.
jrpc_json jck_stated_id(const jck_trial *trial, jrpc_json pattern);
// Adds the finding that the id of a Response is not the one owed by `pattern`, or else by
// `id_owed`.
void jck_add_wrong_id(jck_trial *trial, const jck_answers *answers, jrpc_json pattern,
                      jrpc_json id_owed, jrpc_json response);

// Names the difference if a valid call is refused with -32600: the target then objects to the type
// of its id, or to the call itself. Otherwise false.
bool jck_name_refused_call(jck_trial *trial, size_t first, const jck_answers *answers,
                           jrpc_json response);

// Names the unexpected answer that the findings from `first` on report: it is the same difference
// alone, in a batch, and under any rule.
void jck_name_answer_to_notification(jck_trial *trial, size_t first, jrpc_json answer);
// The rule that an unexpected answer breaks: an answer to a notification breaks the rules about
// notifications, whatever else the case is about.
jrpc_slice jck_rule_of_silence(const jck_trial *trial, const jck_answers *answers);

// Whether a reply, or each element of one, has the id null.
bool jck_is_of_nobody(jrpc_json reply);
// The rule that an unexpected reply breaks: that an error without a readable id has none, or that a
// message is not taken for several; silence after notifications if it looks like the answer to one;
// else the case's own rule.
jrpc_slice jck_rule_of_unasked(jck_trial *trial, int step, jrpc_json reply);
// The rule that a second answer to one call breaks: if the case is about silence, batches or
// concurrent calls, that a call has one Response; else the case's own.
jrpc_slice jck_rule_of_second(const jck_trial *trial);

// Whether one server-defined error, without an id or for the call, refuses a message that is long,
// nested deep, or a batch of many elements; it is recorded.
bool jck_is_refused_for_limit(jck_trial *trial, const jck_answers *answers);

#endif
