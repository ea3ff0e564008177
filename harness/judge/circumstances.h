// Private to the judge: what explains several differences of a case at once.
#ifndef JCK_JUDGE_CIRCUMSTANCES_H
#define JCK_JUDGE_CIRCUMSTANCES_H

#include "harness/judge/answers.h"
#include "harness/judge/trial.h"

// Whether a message of the case that is long, or was sent in pieces, was answered as if it were
// several, or ended the connection. `step` is the one in which the answer was awaited; what was
// sent before a `receive` counts too.
bool jck_is_torn(const jck_trial *trial, int step);
// The rule that such answers break: the case's own if the message was sent in pieces, otherwise
// the framing's rule about where a message ends. Empty if no message was torn, if no answer to it
// came, or if the framing has no such rule.
jrpc_slice jck_torn_rule(const jck_trial *trial, int step);
// If a valid message that is long, in pieces, or has characters of several bytes, is answered only
// with a parse error, and the target answers nothing more: adds the finding that its length was not
// read as the number of its bytes. Otherwise false.
bool jck_add_misread_length(jck_trial *trial, const jck_answers *answers);
// Whether that was reported.
bool jck_has_misread_length(const jck_trial *trial);
// If something that is not a message came in a step in place of an answer, there are two findings:
// one about what came, and one, from `first` on, about the missing answer. Gives both the same
// name, and returns true.
bool jck_name_noise(jck_trial *trial, size_t first, int step);
// Names the circumstance that explains all findings of a case, whichever rules they break: a
// message of the case was torn, or spoilt by the one before it, an answer came that belongs to
// another connection or has the id of another call, each text that is not JSON was refused
// twice, or the target takes what it reads at once for one message.
void jck_name_circumstances(jck_trial *trial);

#endif
