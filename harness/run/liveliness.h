// How a target has been answering lately, and when to stop bothering with it.
#ifndef JCK_RUN_LIVELINESS_H
#define JCK_RUN_LIVELINESS_H

#include <stdbool.h>

typedef struct jck_liveliness {
    bool ever_completed;       // a case came to its end with the target answering
    unsigned consecutive_mute; // cases in a row that ended with it mute, gone or writing on and on
} jck_liveliness;

// Notes the state in which a case left the target. False when too many in a row left it out of
// order to go on: few while no case has ever come to its end, more later.
bool jck_liveliness_note(jck_liveliness *lively, bool in_order);

#endif
