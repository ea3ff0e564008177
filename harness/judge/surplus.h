// Private to the judge: messages that came beside the one Response that is owed, and messages that
// no step asked for.
#ifndef JCK_JUDGE_SURPLUS_H
#define JCK_JUDGE_SURPLUS_H

#include "harness/judge/answers.h"

// Takes out of the answers what belongs to something else, and reports it: Responses to calls of
// other connections, what came in the place of a fence's answer, and repetitions. The parts of a
// declared stream become one answer.
void jck_fold_surplus(jck_trial *trial, jck_answers *answers);
// Adds the finding that more than one message came, if so.
void jck_add_surplus(jck_trial *trial, const jck_answers *answers);
// Whether a Response has the id of a call that was sent on another connection, and on that only.
bool jck_is_of_another_connection(jck_trial *trial, char connection, jrpc_json response);
// Adds the finding that a Response came on another connection than its call.
void jck_add_foreign(jck_trial *trial, int step, jrpc_json response);

// Judges the first words on a connection like any Response, and reports answers to fences that were
// answered already or never sent: nobody asked for them.
void jck_judge_asides(jck_trial *trial);

// Reports an answer that came instead of the one that is due, with the id of a fence or of an
// earlier case. Which of the two messages it answers cannot be seen. Else false.
bool jck_add_misdirected(jck_trial *trial, const jck_answers *answers);

#endif
