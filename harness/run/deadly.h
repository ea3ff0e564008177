// What ends a target or leaves it mute: kinds of messages after which it never worked on. Once they
// are known, further cases with them can be left out.
#ifndef JCK_RUN_DEADLY_H
#define JCK_RUN_DEADLY_H

#include "harness/suite/case.h"
#include "harness/suite/rule.h"

#include <stdbool.h>

// Kinds of messages, as far as they matter for whether a server crashes or falls silent.
typedef enum jck_deadly_kind {
    JCK_DEADLY_BYTES,         // not UTF-8
    JCK_DEADLY_TEXT,          // UTF-8, but not JSON
    JCK_DEADLY_SCALAR,        // JSON, and neither Object nor Array
    JCK_DEADLY_EMPTY_BATCH,   // []
    JCK_DEADLY_BATCH,         // an Array of Objects
    JCK_DEADLY_STRANGE_BATCH, // an Array with something else in it
    JCK_DEADLY_INVALID,       // an Object that is not a valid message
    JCK_DEADLY_NOTIFICATION,
    JCK_DEADLY_RESPONSE,
    JCK_DEADLY_REPEATED, // long or deep: send-repeat
    JCK_DEADLY_WIDE,     // with characters of several bytes, whatever else it is
} jck_deadly_kind;
#define JCK_DEADLY_COUNT (JCK_DEADLY_WIDE + 1)

// How many cases with a message of a kind must end the target, or leave it mute, before the others
// are left out.
#define JCK_DEADLY_ENOUGH 4
// Readers differ in which texts they take for JSON. So a text that is not JSON is left out only if
// the target was lost after others that break the same rule, and survived none of those. This many
// rules are remembered.
#define JCK_DEADLY_RULES_MAX 64

// What a case did to the target.
typedef enum jck_fate {
    JCK_FATE_SURVIVED,
    JCK_FATE_MUTE,   // it no longer answers
    JCK_FATE_ENDED,  // its process ended in an orderly way
    JCK_FATE_KILLED, // its process crashed
} jck_fate;
#define JCK_FATES (JCK_FATE_KILLED + 1)

// What became of the target in the cases of a kind.
typedef struct jck_fates {
    unsigned cases[JCK_FATES];
    const jck_rule *rule; // the one that the last of them broke
} jck_fates;

typedef struct jck_deadly {
    jck_fates kinds[JCK_DEADLY_COUNT];
    struct {
        jrpc_slice rule; // the first one of those cases, which owns it
        jck_fates fates;
    } texts[JCK_DEADLY_RULES_MAX]; // JCK_DEADLY_TEXT once more, by rule
    size_t text_count;
} jck_deadly;

// Notes what a case did to the target, alone or like others of its kind, and which rule that broke
// (NULL: none). The case outlives `deadly`.
void jck_deadly_note(jck_deadly *deadly, const jck_case *test_case, jck_fate fate,
                     const jck_rule *rule);
// What the case will most likely do: it sends a message of a kind that ended the target, or left it
// mute, in at least `times` cases, and in each that was run. Else SURVIVED. *ret_rule is the rule
// that this breaks, or NULL.
jck_fate jck_deadly_expects(const jck_deadly *deadly, const jck_case *test_case, unsigned times,
                            const jck_rule **ret_rule);

#endif
