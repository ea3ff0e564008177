// Private to the judge: one case on trial. What its parts share.
#ifndef JCK_JUDGE_TRIAL_H
#define JCK_JUDGE_TRIAL_H

#include "harness/judge/judge.h"
#include "harness/judge/match.h"
#include "harness/judge/owed.h"

// A JSON text that was read for the trial; freed with it.
typedef struct jck_read {
    jrpc_json_document document;
    struct jck_read *next;
} jck_read;

typedef struct jck_trial {
    const jck_case *test_case;
    jck_variables *variables;
    const jck_evidence *evidence;
    const jck_calibration *calibration; // never NULL here
    jck_findings *findings;
    jck_matching matching;
    jrpc_arena *arena;
    jck_read *reads;
    jrpc_slice blocked_by; // the known root cause for which an answer was missing
} jck_trial;

// The answers that a step has to account for: what came on its connection since the last step that
// was judged.
typedef struct jck_answers {
    int step;
    char connection;
    jrpc_slice sent; // the payload of the step, empty if nothing was sent
    jck_owed owed;
    jrpc_json *replies; // Responses, batches and whatever stands in their place, in order
    size_t count;
    jrpc_json *originated; // the server's own notifications and requests
    size_t originated_count;
    bool unreadable;  // a Response came that is no JSON: told already, no further silence is to be
                      // told
    bool echoed;      // the target sent our own message back
    bool versionless; // an element of the batch that was sent has no version
} jck_answers;

// Reads a text for the life of the trial; ABSENT if it is no JSON (`*error` says) or memory is out.
jrpc_json jck_trial_read(jck_trial *trial, jrpc_slice text, jrpc_error *error);
// Gathers what came for `step` (from `first_step` on) and checks the envelope of every Response.
bool jck_gather(jck_trial *trial, int first_step, int step, jck_answers *ret_answers);
// Judges one expectation of a SEND step.
void jck_judge_expectation(jck_trial *trial, const jck_expect *expect, const jck_answers *answers);
// Whether a received HTTP body stands for no answer at all: a page that does not claim to be JSON,
// or the null that frameworks make of nothing. Cases about such bodies get a finding.
bool jck_gather_page(jck_trial *trial, const jck_answers *answers, const jck_message *message,
                     jrpc_json value);
// Whether HTTP itself refused the message of a step for its size, so that nobody behind could
// answer.
bool jck_refused_for_size(const jck_trial *trial, const jck_answers *answers);
// Judges the HTTP answer around a SEND step, where the step says what it may be like.
void jck_judge_http(jck_trial *trial, const jck_step *step, int index);
// Judges a RECEIVE step.
void jck_judge_receive(jck_trial *trial, const jck_step *step, const jck_answers *answers);

// The same for an Array: `patterns` against the one batch answer; `otherwise` as in
// jck_blamed_rule.
void jck_judge_batch(jck_trial *trial, jrpc_json patterns, const jck_answers *answers,
                     jrpc_slice otherwise);
// Writes down a Response of the one batch answer that stands in the place of another pattern than
// its own. Nothing if the answer has not as many Responses as there are patterns.
void jck_judge_batch_order(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);
// Whether the batch answer matches, without writing anything down.
bool jck_batch_matches(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);
// Whether all that is asked for came, if not as it should: in no Array, or with more beside it.
bool jck_batch_holds(jck_trial *trial, jrpc_json patterns, const jck_answers *answers);
// Writes down that the answer is missing, and what happened instead.
void jck_find_silence(jck_trial *trial, const jck_answers *answers, jrpc_slice otherwise);
// What came instead of the answer that is missing, as a clause. Constant.
const char *jck_instead(const jck_trial *trial, const jck_answers *answers);
// The rule that an answer breaks where none is owed: a notification that is answered breaks section
// 4.1, whatever else the case is after.
jrpc_slice jck_rule_of_silence(const jck_trial *trial, const jck_answers *answers);
// Writes down that the id of a Response is not the one owed by `pattern`, or else by `id_owed`.
void jck_find_id(jck_trial *trial, const jck_answers *answers, jrpc_json pattern, jrpc_json id_owed,
                 jrpc_json response);
// A value's spelling, cut and made printable for a sentence.
const char *jck_shown(jck_trial *trial, jrpc_json value);

// How an answer differs from what was expected.
typedef enum jck_difference {
    JCK_DIFFERENCE_SILENT, // none came
    JCK_DIFFERENCE_CODE,   // an error with another code
    JCK_DIFFERENCE_ID,
    JCK_DIFFERENCE_SHAPE, // everything else
} jck_difference;

// Whether one Response matches a pattern of an expectation. `id_owed` is what the id must equal
// when the pattern does not say (ABSENT: not looked at). If it does not match, *ret_difference says
// how.
bool jck_response_matches(jck_trial *trial, jrpc_json pattern, jrpc_json response,
                          jrpc_json id_owed, bool absent_called, jck_difference *ret_difference);
// The error code of a Response, 0 if it has none.
int64_t jck_code_of(jrpc_json response);
// Whether a Response says "error" in a form in which no code can be read; the envelope tells that.
bool jck_error_is_unreadable(jrpc_json response);
// The rule that a difference is held against: the one of the owed error code when the case lists
// it and the difference is silence or a wrong code, else `otherwise`, else the case's first rule.
jrpc_slice jck_blamed_rule(const jck_trial *trial, const jck_answers *answers,
                           jck_difference difference, jrpc_slice otherwise);
// Whether what was sent is a single valid call.
bool jck_is_call_owed(const jck_answers *answers);
// Tells `[]` in the place of an answer, and any Array as the answer to an empty batch; false if it
// is neither, or the case is to judge it.
bool jck_find_empty_array(jck_trial *trial, const jck_answers *answers);
// Whether the target read text that is no JSON as an Array, as it may, and refused that as it is
// known to refuse batches: then the case stands on J2-6a and shows nothing.
bool jck_stands_on_batches(jck_trial *trial, const jck_answers *answers);
// Whether the target refused a call for the shape of its params, as it is known to, where the case
// is about something else: then the case stands on J2-4.2a or J2-4.2b and shows nothing.
bool jck_stands_on_shape(jck_trial *trial, const jck_answers *answers);

#endif
