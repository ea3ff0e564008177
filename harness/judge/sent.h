// Private to the judge: what a case has sent, and the ids in it.
#ifndef JCK_JUDGE_SENT_H
#define JCK_JUDGE_SENT_H

#include "harness/judge/trial.h"

// Goes through what was sent: each message, or, of a batch, each of its elements.
//
//   jck_sent_walk walk = jck_walk_sent_of_case(trial);
//   while (jck_sent_step(&walk)) use(walk.message, walk.value);
typedef struct jck_sent_walk {
    const jck_message *message;
    jrpc_json value; // the message or the element; ABSENT if the message is not valid JSON
    // Private from here on.
    jck_trial *trial;
    char connection; // '\0': any
    bool of_case;
    size_t next;
    jrpc_json_iterator elements;
} jck_sent_walk;

// What the steps of the case sent, on any connection.
jck_sent_walk jck_walk_sent_of_case(jck_trial *trial);
// Whatever was sent on a connection, fences included.
jck_sent_walk jck_walk_sent_on(jck_trial *trial, char connection);
// False once there is nothing more.
bool jck_sent_step(jck_sent_walk *walk);

// Whether a message with this id was sent on the connection, alone or in a batch.
bool jck_was_sent(jck_trial *trial, char connection, jrpc_json id);
// Whether a String that was sent as an id on the connection begins with this id, and is longer.
bool jck_was_sent_longer(jck_trial *trial, char connection, jrpc_json id);

#endif
