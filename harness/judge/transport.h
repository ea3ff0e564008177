// Private to the judge: the transport itself. Whether it was closed as a case expects, and what was
// noticed about frames, handshakes and ends, which break a rule whatever the messages say.
#ifndef JCK_JUDGE_TRANSPORT_H
#define JCK_JUDGE_TRANSPORT_H

#include "harness/judge/answers.h"

// Whether the connection ended without a crash and without an answer, or the process exited in
// order, with the expected exit status if there is one.
bool jck_is_closed(const jck_trial *trial, const jck_expect *expect, const jck_answers *answers);
// Adds a finding if it did not end so.
void jck_judge_closed(jck_trial *trial, const jck_expect *expect, const jck_answers *answers);

// Whether WebSocket was closed with the status code that says that the message was too long, which
// it may be: a server may limit the size of texts (RFC 8259, section 9).
bool jck_is_closed_for_size(const jck_trial *trial, const jck_answers *answers);
// The same, or whether HTTP answered with the status that says so.
bool jck_is_refused_for_size(const jck_trial *trial, const jck_answers *answers);
// Adds the finding for a message with a flaw.
void jck_add_flaw(jck_trial *trial, const jck_message *message);
// Whether the rule (may be NULL) is about what WebSocket does around messages, so that showing the
// messages explains nothing.
bool jck_is_about_frames(const jck_rule *rule);

#endif
