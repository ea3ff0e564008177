// Private to the judge: what is judged about the transport itself. Whether it was closed as a case
// expects, and flaws in frames, handshakes and closing, which break a rule whatever the messages
// say.
#ifndef JCK_JUDGE_TRANSPORT_H
#define JCK_JUDGE_TRANSPORT_H

#include "harness/judge/answers.h"

// Whether the connection ended without a crash and without an answer, or the process exited in
// order, with the expected exit status if there is one.
bool jck_is_closed(const jck_trial *trial, const jck_expect *expect, const jck_answers *answers);
// Adds a finding if it did not end so.
void jck_judge_closed(jck_trial *trial, const jck_expect *expect, const jck_answers *answers);

// Whether WebSocket was closed with the status code for a message that is too long. That is
// allowed: a server may limit the size of texts (RFC 8259, section 9).
bool jck_is_closed_for_size(const jck_trial *trial, const jck_answers *answers);
// Whether the target refused a message of more than 4 KiB with an error whose id is null, as it
// may, and then closed the connection: whatever else was sent on it gets no answer.
bool jck_is_closed_after_refusal(const jck_trial *trial, const jck_answers *answers);
// Whether WebSocket was closed for that reason, or HTTP answered with the corresponding status.
bool jck_is_refused_for_size(const jck_trial *trial, const jck_answers *answers);
// Adds the finding for a message with a flaw.
void jck_add_flaw(jck_trial *trial, const jck_message *message);
// Whether the rule (may be NULL) is about WebSocket itself, so that showing the messages would
// explain nothing.
bool jck_is_about_frames(const jck_rule *rule);

// Whether a Response has the id of a call or a fence that was sent on another connection only.
bool jck_is_of_another_connection(jck_trial *trial, char connection, jrpc_json response);
// The same for a fence that was never sent on the connection on which its answer came.
bool jck_is_fence_of_another_connection(jck_trial *trial, const jck_message *message);
// Adds the finding that a Response arrived on a different connection from its call.
void jck_add_foreign(jck_trial *trial, int step, jrpc_json response);
// Reports a Response if it is one to a call on another connection; false if it is not. `answered`:
// the call with its id on this connection has another answer.
bool jck_add_if_foreign(jck_trial *trial, const jck_answers *answers, jrpc_json response,
                        bool answered);
// Removes the Responses to calls on other connections, and reports them. If nothing is left, they
// came before the step's own answer, for which nobody waited any longer.
void jck_fold_foreign(jck_trial *trial, jck_answers *answers);
// Reports an answer on another connection to a call, or a fence, whose own connection seems mute.
// `taken`: a step has counted the message as its answer.
void jck_judge_elsewhere(jck_trial *trial, const jck_message *message, bool taken);

// Records that a target on another machine is reached without encryption: once per run, in the
// first case.
void jck_observe_encryption(jck_trial *trial);

#endif
