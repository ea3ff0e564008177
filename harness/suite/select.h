// Which cases run: suites by name, cases by pattern. A pattern that matches nothing is an error.
#ifndef JCK_SUITE_SELECT_H
#define JCK_SUITE_SELECT_H

#include "harness/suite/suite.h"

typedef struct jck_selection {
    const char *const *suites; // names; empty: the default ones
    size_t suite_count;
    // Patterns for ids of cases and rules and for names of suites: `*` and `?` within a segment,
    // `**` across segments. A suite matched as a whole joins the default ones.
    const char *const *only;
    size_t only_count;
    const char *const *skip;
    size_t skip_count;
    const char *also;      // a suite that joins the default ones, such as the transport's; or NULL
    const char *also_need; // … of which only cases that need this join; NULL: all of them
    bool fixed;            // the user cannot name suites: they are not suggested
    const char *const *defaults; // the suites that run if none is named; NULL: jsonrpc-2.0, json
    size_t default_count;
    const jrpc_slice *declared; // what the target declares: a suite of that name joins too
    size_t declared_count;
} jck_selection;

// Whether a pattern matches an id such as "batch/empty-array".
bool jck_pattern_matches(const char *pattern, jrpc_slice id);
// Whether it matches a case: its id or an alias, its suite, SUITE/id, or one of its rules.
bool jck_pattern_matches_case(const char *pattern, const jck_case *test_case);
// Marks the selected cases in `ret_selected` (one bool per case of the suite); all suites are
// selected if none of the default ones exists. USAGE if a suite is unknown (the message lists the
// known ones) or a pattern matches nothing (the message names the nearest id).
bool jck_select(const jck_suite *suite, const jck_selection *selection, bool *ret_selected,
                jrpc_error *error);

#endif
