// How a target has been answering lately, and when to give up on it.
#ifndef JCK_RUN_LIVELINESS_H
#define JCK_RUN_LIVELINESS_H

#include <stdbool.h>

typedef struct jck_liveliness {
    bool ever_completed;       // a case ended with the target still answering
    unsigned consecutive_mute; // cases in a row that left it mute, gone or writing without end
} jck_liveliness;

// Notes whether a case left the target in order. False if too many in a row did not, so that the
// run should end: few suffice as long as no case was ever completed, more are needed later.
bool jck_liveliness_note(jck_liveliness *lively, bool in_order);

#endif
