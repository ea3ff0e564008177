// What kills a target: kinds of messages that its process never survived. Once they are known,
// further cases with them can be left out.
#ifndef JCK_RUN_DEADLY_H
#define JCK_RUN_DEADLY_H

#include "harness/suite/case.h"

#include <stdbool.h>

// Kinds of messages, as far as they matter for whether a server crashes.
typedef enum jck_deadly_kind {
    JCK_DEADLY_TEXT,          // not JSON
    JCK_DEADLY_SCALAR,        // JSON, and neither Object nor Array
    JCK_DEADLY_EMPTY_BATCH,   // []
    JCK_DEADLY_BATCH,         // an Array of Objects
    JCK_DEADLY_STRANGE_BATCH, // an Array with something else in it
    JCK_DEADLY_INVALID,       // an Object that is not a valid message
    JCK_DEADLY_NOTIFICATION,
    JCK_DEADLY_RESPONSE,
    JCK_DEADLY_REPEATED, // long or deep: send-repeat
} jck_deadly_kind;
#define JCK_DEADLY_COUNT (JCK_DEADLY_REPEATED + 1)

// How many cases with a message of a kind must end the target before the others are left out.
#define JCK_DEADLY_ENOUGH 6

typedef struct jck_deadly {
    struct {
        unsigned killed, survived; // cases
    } kinds[JCK_DEADLY_COUNT];
} jck_deadly;

// Notes whether a case ended the target, alone or like others of its kind.
void jck_deadly_note(jck_deadly *deadly, const jck_case *test_case, bool killed);
// Whether the case sends a message of a kind that ended the target in at least `times` cases, and
// in each that was run.
bool jck_deadly_expects(const jck_deadly *deadly, const jck_case *test_case, unsigned times);

#endif
