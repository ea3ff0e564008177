// Private to the judge: what explains several differences of a case at once.
#ifndef JCK_JUDGE_CIRCUMSTANCES_H
#define JCK_JUDGE_CIRCUMSTANCES_H

#include "harness/judge/trial.h"

// Whether a message of the case that is long, or was sent in pieces, was answered as if it were
// several, or ended the connection. `step` is the one in which the answer was awaited; what was
// sent before a `receive` counts too.
bool jck_is_torn(const jck_trial *trial, int step);
// The rule that such answers break: the case's own if the message was sent in pieces, otherwise
// the framing's rule about where a message ends. Empty if no message was torn, if no answer to it
// came, or if the framing has no such rule.
jrpc_slice jck_torn_rule(const jck_trial *trial, int step);
// If a message with characters of several bytes is answered only with a parse error for what came
// next, and the target then waits: adds the finding that the length was counted in characters.
bool jck_add_counted_in_characters(jck_trial *trial, int step);
// Whether that was reported.
bool jck_is_counted_in_characters(const jck_trial *trial);
// Names the circumstance that explains all findings of a case, whichever rules they break: a
// message of the case was torn, or spoilt by the one before it, or an answer came that belongs to
// another connection.
void jck_name_circumstances(jck_trial *trial);

#endif
