// Which cases were sent over a connection, and which of them cause a failure.
// Some servers fail only after earlier messages: they count, they mix up answers, they crash late.
// Such a failure is reproduced by sending the same cases again to a fresh process, and then reduced
// by leaving out groups of cases as long as the failure still appears.
#ifndef JCK_RUN_COMPANY_H
#define JCK_RUN_COMPANY_H

#include "harness/suite/case.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Cases of one process (or connection, where there is no process of ours) that are remembered.
#define JCK_HISTORY_MAX 512

typedef struct jck_history {
    const jck_case *cases[JCK_HISTORY_MAX]; // in the order they were run; the oldest are forgotten
    size_t count;
    uint64_t home; // the process or connection that they were sent to; changes with each fresh one
} jck_history;

// Notes that a case is run on `home`; forgets what was sent to any other.
void jck_history_note(jck_history *history, uint64_t home, const jck_case *test_case);

// An experiment sends these cases, in this order, to a fresh process, and sees whether the failure
// appears. STOP ends the search.
typedef enum jck_trial_end {
    JCK_TRIAL_FAILS,
    JCK_TRIAL_PASSES,
    JCK_TRIAL_STOP,
} jck_trial_end;
typedef jck_trial_end (*jck_experiment)(void *context, const jck_case *const *cases, size_t count);

// Reduces `cases` to few after which the failure still appears (in place: they are left at the
// front, in order). Tries none of them, then the last one, two, four, …, and then leaves groups out
// of the shortest sequence that fails (delta debugging). *ret_count is how many are left. False if
// the failure never appeared, or the first experiment was stopped; if a later one is stopped, the
// result is the best found so far.
bool jck_company_shrink(const jck_case **cases, size_t count, jck_experiment experiment,
                        void *context, size_t *ret_count);
// The same without the first part: starts with all of them.
bool jck_company_reduce(const jck_case **cases, size_t count, jck_experiment experiment,
                        void *context, size_t *ret_count);

#endif
