// What kills a target: kinds of messages after which its process was gone each time, and which it
// never survived. Whoever knows that need not bring it about a hundred times.
#ifndef JCK_RUN_DEADLY_H
#define JCK_RUN_DEADLY_H

#include "harness/suite/case.h"

#include <stdbool.h>

// What a message is, as far as that decides whether a server falls over it.
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

// So many cases with a message of a kind have to end the target before the others are left out.
#define JCK_DEADLY_ENOUGH 6

typedef struct jck_deadly {
    struct {
        unsigned killed, survived; // cases
    } kinds[JCK_DEADLY_COUNT];
} jck_deadly;

// Notes that a case, alone or as others of its kind did, ended the target, or did not.
void jck_deadly_note(jck_deadly *deadly, const jck_case *test_case, bool killed);
// Whether the case sends a message of a kind that ended the target in at least `times` cases, and
// in each that was run.
bool jck_deadly_expects(const jck_deadly *deadly, const jck_case *test_case, unsigned times);

#endif
