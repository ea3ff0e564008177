// Right answers, made from what a case asks for: the sessions that no judge may object to, and one
// thing wrong in them, which every judge must notice.
#ifndef JRPC_FUZZ_SESSION_RIGHT_H
#define JRPC_FUZZ_SESSION_RIGHT_H

#include "fuzz/session/exchange.h"

// What is wrong everywhere: a piece of every answer in the place of another of the same length.
typedef struct right_defect {
    const char *from, *to;
} right_defect;
#define RIGHT_DEFECTS 6
extern const right_defect right_defects[RIGHT_DEFECTS];
// Puts the defect into a text; how often.
size_t right_spoil(const right_defect *bad, jrpc_buffer *text);

// Appends a right answer to a step that sends: the `choice`-th where there are several. Nothing
// where nothing is owed. False if the case does not say which it would be.
bool right_answer(exchange *e, size_t step, unsigned choice, jrpc_buffer *out);

typedef struct right_session {
    unsigned choice;         // which of the answers that are right
    const right_defect *bad; // in every answer, or NULL
    size_t left_out;         // this answer, counted from 1, does not come; 0: all do
    size_t stale;            // in its place comes the one before it once more; 0: in none
    jck_outcome worst;       // without a defect: what the verdict may come to
    size_t spoilt;           // how often the defect was put in
    bool strict;             // no alternative could allow the defect
    size_t answers;          // how many there are
    bool missed;             // the one that was left out is owed
    int repeated;            // the step whose answer was replaced; -1: none was
} right_session;

// Plays a session, begun and without anything sent, in which the target does as the case asks;
// fills the lower half of `how`. False if the case does not tell what that is.
bool right_play(exchange *e, right_session *how);

#endif
