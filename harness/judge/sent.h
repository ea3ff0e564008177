// Private to the judge: the ids that a case has sent.
#ifndef JCK_JUDGE_SENT_H
#define JCK_JUDGE_SENT_H

#include "harness/judge/trial.h"

// Whether a message with this id was sent on the connection, alone or in a batch.
bool jck_was_sent(jck_trial *trial, char connection, jrpc_json id);
// Whether a String was sent as an id on the connection of which this one is the beginning only.
bool jck_was_sent_longer(jck_trial *trial, char connection, jrpc_json id);

#endif
