// What changed between two runs, case by case. The first run that is read is the old one.
#ifndef JCK_REPORT_SINCE_H
#define JCK_REPORT_SINCE_H

#include "harness/report/page.h"

typedef enum jck_change_kind {
    JCK_CHANGE_BROKEN,    // was better
    JCK_CHANGE_NEW_WRONG, // was not there, or not judged, and now fails
    JCK_CHANGE_FIXED,     // was worse
    JCK_CHANGE_OTHERWISE, // as bad as before, by another rule or outcome
    JCK_CHANGE_CHOICE,    // another answer where the specification leaves it open
    JCK_CHANGE_UNJUDGED,  // was judged
    JCK_CHANGE_ADDED,     // was not there, or not judged, and is now right
    JCK_CHANGE_GONE,      // no longer there
} jck_change_kind;
#define JCK_CHANGE_COUNT (JCK_CHANGE_GONE + 1)

// One case in one of the runs.
typedef struct jck_since_side {
    bool there;
    jck_outcome outcome;
    bool breach;
    jrpc_slice account;  // "J2-6d: …", one line, not yet made safe
    jrpc_slice rules;    // that its findings name, as one text
    jrpc_slice observed; // names and values, as one text
} jck_since_side;

typedef struct jck_since_case {
    jrpc_slice id, title;
    jck_since_side old, now;
    struct jck_since_case *next;
} jck_since_case;

typedef struct jck_since {
    jrpc_arena arena;
    bool ready;
    jck_since_case *first;
    jck_since_case **end;
    jck_since_case *expected; // runs report their cases in much the same order
    jrpc_slice old_target, old_started, target, started, tool;
    size_t counts[JCK_CHANGE_COUNT];
} jck_since;

// Called by the formats below; each is a part of a jck_page_style.
bool jck_since_begin(jck_page *page, jck_since *since);
bool jck_since_take_case(jck_page *page, jck_since *since, const jck_reading_case *test_case);
void jck_since_count(jck_since *since);

// False if nothing changed.
bool jck_since_kind(const jck_since_case *test_case, jck_change_kind *ret_kind);
// "fixed", and the heading of its list.
const char *jck_change_word(jck_change_kind kind);
const char *jck_change_heading(jck_change_kind kind);

#endif
