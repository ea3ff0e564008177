// Matches the Requests from a client to those that its driver was commanded to send.
// Used while a case runs (for the ids that answers need) and when it is judged, so that both agree.
#ifndef JCK_JUDGE_ASKED_H
#define JCK_JUDGE_ASKED_H

#include "harness/suite/case.h"

#define JCK_ASKED_MAX 256

typedef struct jck_asked {
    const jck_request *request;
    int step;        // of the driver's command
    size_t element;  // its index in the command's list
    bool heard;      // it was received …
    size_t message;  // … in this message of the evidence
    char connection; // … on this connection
    bool in_batch;   // … as an element of an Array
    jrpc_json came;  // … with this value, which lives as long as its document
    jrpc_slice id;   // the spelling of its id, owned by the owner of the list; empty: none
} jck_asked;

typedef struct jck_asked_list {
    jck_asked items[JCK_ASKED_MAX];
    size_t count;
} jck_asked_list;

// Adds the Requests of a DO step, in order; those beyond JCK_ASKED_MAX are dropped.
void jck_asked_add(jck_asked_list *list, const jck_step *step, int index);
// The Request that an Object from the client most likely is. Of the Requests that have not been
// received yet, it is the first that agrees in this: method and params, or else the method, or else
// the params. Empty params do not count. NULL if none agrees, or if the Object is not a Request.
jck_asked *jck_asked_find(jck_asked_list *list, jrpc_json object);
// By name; NULL if the driver has not been commanded to send it yet.
jck_asked *jck_asked_named(jck_asked_list *list, jrpc_slice name);
// Whether a value has the Requests of a driver's command, each with the same method (or routing
// members) and params: the driver has read them as they were sent.
bool jck_asked_is_echo(const jck_driver_command *command, jrpc_json value);
// Whether an Object is meant as an answer to a request of the server.
bool jck_asked_is_answer(jrpc_json object);

// Whether the id of an answer that was sent, or one of its elements, is this one.
bool jck_is_answered_by(jrpc_json answer, jrpc_json id);

#endif
