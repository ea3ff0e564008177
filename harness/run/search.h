// The experiments of a confirmation: cases sent again to a fresh process, within a time limit.
#ifndef JCK_RUN_SEARCH_H
#define JCK_RUN_SEARCH_H

#include "harness/run/worker.h"

typedef struct jck_search {
    jck_worker *worker;
    const jck_case *test_case;
    const jck_attempt *seen;
    int64_t deadline_us;
    jck_attempt *best; // the last attempt that failed again; owned
    jck_evidence sent; // all that was sent in that experiment; in the attempt's arena
    int64_t window_us; // how long a late answer is waited for
    int64_t late_us;   // how late it came
    bool patient;      // each case sent before it is given the full time for its answers
    bool waited;       // the search has waited the full time for a missing answer
    bool slow;         // and it came: the target is only slow now and then, so nothing failed again
} jck_search;

// For at most `left_us`, and never longer than a few seconds, or several times that on a busy
// machine. All arguments are borrowed.
void jck_search_init(jck_search *search, jck_worker *worker, const jck_case *test_case,
                     const jck_attempt *seen, int64_t left_us);
void jck_search_done(jck_search *search);
// Whether the case fails in the same way after these cases on a fresh process; those that are
// needed are left at the front (see jck_company_shrink). search->best is that failure. If it no
// longer fails once those cases had the full time for their answers, an answer was only late: the
// result is false, and search->slow is set.
bool jck_search_again(jck_search *search, const jck_case **cases, size_t count, size_t *ret_left);
// Whether the case fails in the same way when it is sent to a fresh process over and over;
// *ret_left is how often it was sent before that.
#define JCK_REPETITIONS_MAX 1000
bool jck_search_repeating(jck_search *search, size_t *ret_left);
// Whether one of these cases, which are owed no answer, is answered after its end; *ret_left as
// above, and search->late_us is how late.
bool jck_search_late(jck_search *search, const jck_case **cases, size_t count, size_t *ret_left);

#endif
