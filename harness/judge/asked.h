// Which Request that came from a client is the one that its driver was asked for.
//
// Used while a case runs (for the ids that answers need) and when it is judged: both see the same.
#ifndef JCK_JUDGE_ASKED_H
#define JCK_JUDGE_ASKED_H

#include "harness/suite/case.h"

#define JCK_ASKED_MAX 256

typedef struct jck_asked {
    const jck_request *request;
    int step;        // in which the driver was asked
    size_t element;  // its place in the command's list
    bool heard;      // it came over the wire …
    size_t message;  // … in this message of the evidence
    char connection; // … on this connection
    bool in_batch;   // … as an element of an Array
    jrpc_json came;  // … like this; as long as its document lives
    jrpc_slice id;   // the spelling of its id, owned by whoever keeps the list; empty: none
} jck_asked;

typedef struct jck_asked_list {
    jck_asked items[JCK_ASKED_MAX];
    size_t count;
} jck_asked_list;

// Adds the Requests of a DO step, in order; what is beyond JCK_ASKED_MAX is not kept.
void jck_asked_add(jck_asked_list *list, const jck_step *step, int index);
// The Request that an Object from the client most likely is: of those that have not been heard, the
// first with its method, else the first that has params, and the same. NULL if there is none, or
// the Object is not a Request.
jck_asked *jck_asked_find(jck_asked_list *list, jrpc_json object);
// By name; NULL if the driver was not asked for it yet.
jck_asked *jck_asked_named(jck_asked_list *list, jrpc_slice name);
// Whether an Object is meant as an answer to something that the server asked.
bool jck_asked_is_answer(jrpc_json object);

// Whether the id of an answer that was sent, or one of its elements, is this one.
bool jck_is_answered_by(jrpc_json answer, jrpc_json id);

#endif
