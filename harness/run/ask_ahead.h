// Many questions in one batch, for a target that is far away: each call of its own would take the
// time of a round trip.
#ifndef JCK_RUN_ASK_AHEAD_H
#define JCK_RUN_ASK_AHEAD_H

#include "harness/run/question.h"

// A question with the number that it has in jck_ask.
typedef struct jck_numbered {
    jck_question question;
    size_t number;
} jck_numbered;

// The answer to the batch: the document points into the text.
typedef struct jck_asked {
    jrpc_buffer text;
    jrpc_json_document document;
} jck_asked;

void jck_asked_init(jck_asked *ahead);
void jck_asked_done(jck_asked *ahead);
// Whether the target is so far away that asking ahead pays off: the answers so far took long, and
// its process, which is not ours, cannot be seen to work.
bool jck_is_far(const jck_asking *asking);
// Asks all of them in a batch on connection 'a'. asking->ahead is what came, kept in `ahead`, which
// must outlive it; absent if the answer is not an Array.
void jck_ask_ahead(jck_asking *asking, const jck_numbered *asked, size_t count, jck_asked *ahead);

#endif
