// The rules that streams name, by id: what `rule` events and findings say about them. Several
// streams may share one book; if two disagree, the first one counts.
#ifndef JCK_REPORT_RULEBOOK_H
#define JCK_REPORT_RULEBOOK_H

#include "harness/report/reading.h"

typedef struct jck_ruling {
    jrpc_slice id, section, title, sentence; // empty if no stream says
    jck_level level;                         // the worst that a finding gave it, or its own
    size_t index;                            // in the order of first appearance
    size_t family;      // the index of the first rule of its specification: "J2" of J2-5.1f
    size_t family_size; // of that first rule: how many rules the specification has
} jck_ruling;

typedef struct jck_rulebook {
    jrpc_arena *arena; // borrowed
    jck_ruling **items;
    size_t count, room;
} jck_rulebook;

// The most rules of one book: far more than a catalogue has.
#define JCK_RULINGS_MAX 1000

void jck_rulebook_init(jck_rulebook *book, jrpc_arena *arena);
// *ret_ruling is the entry for this id, created if there is none; NULL if the book is full. False
// if out of memory.
bool jck_rulebook_enter(jck_rulebook *book, jrpc_slice id, jck_ruling **ret_ruling);
jck_ruling *jck_rulebook_find(const jck_rulebook *book, jrpc_slice id); // or NULL
// Adds a `rule` event. False if out of memory.
bool jck_rulebook_take(jck_rulebook *book, const jck_reading_rule *rule);
// Adds the rules that a case and its findings name. False if out of memory.
bool jck_rulebook_read(jck_rulebook *book, const jck_reading_case *test_case);
// The entries by specification, the one with most rules first, then by id, numbers in them by
// value: 4, 4.1, 5, 10. In the arena; NULL if out of memory.
jck_ruling **jck_rulebook_sorted(const jck_rulebook *book);
// Compares two entries in that order: below, at or above 0.
int jck_rulebook_order(const jck_rulebook *book, const jck_ruling *a, const jck_ruling *b);
// Compares two ids or sections in that order: below, at or above 0.
int jck_natural_order(jrpc_slice a, jrpc_slice b);

// What one case shows about one rule.
typedef enum jck_standing {
    JCK_STANDING_UNTESTED, // skipped, blocked, or the harness failed
    JCK_STANDING_KEPT,
    JCK_STANDING_OPEN,   // the case recorded a choice
    JCK_STANDING_SHOULD, // broken; the level of its worst finding
    JCK_STANDING_MUST,
    JCK_STANDING_DEAD, // the target crashed, hung or went mute while the rule was tested
} jck_standing;

// `rule` is one of test_case->rules, or that of a finding. Findings that a ground case has already
// reported count as well: the rule is broken either way.
jck_standing jck_standing_of(const jck_reading_case *test_case, jrpc_slice rule);

#endif
