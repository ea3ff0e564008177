// Private to the judge: the HTTP messages around JSON-RPC messages.
#ifndef JCK_JUDGE_HTTP_H
#define JCK_JUDGE_HTTP_H

#include "harness/judge/owed.h"
#include "harness/judge/trial.h"

// Whether a message is the refusal of a notification that the profile accepts, after a step that
// says nothing about answers: it is no answer to anything else.
bool jck_is_accepted_refusal(jck_trial *trial, const jck_message *message, jrpc_json value);

// Whether a received HTTP body means that there is no answer: a page that does not claim to be
// JSON, or the null that frameworks send for nothing. Cases about such bodies get a finding.
bool jck_gather_page(jck_trial *trial, const jck_owed *owed, const jck_message *message,
                     jrpc_json value);
// Whether a page, which carries no Response, came on the connection.
bool jck_got_page(const jck_trial *trial, char connection);
// The HTTP status of what came in a step; 0 if nothing came, or over another transport.
int jck_http_status(const jck_trial *trial, int step);
// Whether that status fits the pattern.
bool jck_has_http_status(jck_trial *trial, int step, jrpc_json pattern);
// Whether HTTP itself refused the message of a step because of its size (413), as it may if that is
// more than 4 KiB, so that no method could answer it.
bool jck_refused_for_size(const jck_trial *trial, int step, char connection);
// Judges the HTTP response to a SEND step, if the step says what it must look like.
void jck_judge_http(jck_trial *trial, const jck_step *step, int index);

#endif
