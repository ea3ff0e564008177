// Messages as a case: what is sent and what is due for it, written as in a case file.
#ifndef JCK_LIVE_COMPOSE_H
#define JCK_LIVE_COMPOSE_H

#include "harness/live/expect.h"
#include "harness/live/travel.h"

// What the client does once it has sent a message.
typedef enum jck_parting {
    JCK_PARTING_NONE,    // it waits for the answer
    JCK_PARTING_UNREAD,  // it does not wait
    JCK_PARTING_LEAVES,  // it does not wait, and sends nothing more on this connection
    JCK_PARTING_RESETS,  // it does not wait, and resets the connection, which may be opened again
    JCK_PARTING_SILENT,  // it sends nothing, and closes the connection, which may be opened again
    JCK_PARTING_ALONE,   // it waits for the answer, and sends nothing else before it comes
    JCK_PARTING_COUNTED, // it waits, and before the first and after the last such message it asks
                         // how often notifications took effect
} jck_parting;

// What its answer is compared with: that to the first call of a sequence.
typedef enum jck_relation {
    JCK_RELATION_NONE,
    JCK_RELATION_RESULT,  // this is the first call, and its result is what counts …
    JCK_RELATION_FAILURE, // … or the code of its error
    JCK_RELATION_SAME,    // the same call: a method whose answers differ shows it here
    JCK_RELATION_ORDER,   // the same with other white space and another order of members
    JCK_RELATION_ESCAPES, // the same with escapes in its Strings
    JCK_RELATION_BATCH,   // an Array in which the same call is the second element
    JCK_RELATION_AFTER,   // the same after a message that must have no effect
} jck_relation;

// One message of a sequence.
typedef struct jck_shot {
    char connection;  // 'a', 'b', …
    jrpc_slice bytes; // without framing, unless `raw`; SILENT: none
    jck_travel travel;
    bool raw; // the bytes go out as they are: perhaps only the beginning of a message
    jck_parting parting;
    jck_relation relation;
} jck_shot;

typedef struct jck_composition {
    const jck_due_context *context; // borrowed, like all that follows
    const jck_live_rules *rules;
    jrpc_slice id, title, why; // `why` may be empty
    jrpc_slice rule;           // the decisive rule; empty: that of the last message
    const jck_shot *shots;     // at least one
    size_t shot_count;
} jck_composition;

// The number of the shot to which a step of the case belongs: closing is a step of its own. The
// last shot if there is no such step.
size_t jck_composition_shot(const jck_composition *composition, int step);
// Whether clients leave in it.
bool jck_composition_has_visits(const jck_composition *composition);
// Whether calls that should be answered alike are compared in it.
bool jck_composition_is_related(const jck_composition *composition);
// Appends the Object of a case. The names of the absent method and of known methods become
// variables again, so that the case means the same in another run. False if there is no room.
bool jck_compose(const jck_composition *composition, jrpc_buffer *out);

#endif
