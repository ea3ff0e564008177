// What a connection has been through, and which part of it brings a failure about.
//
// Some servers fail only after something else: they count, they mix answers up, they die late. Such
// a failure is shown by sending the same cases again to a fresh process, and then by leaving cases
// out, one group after the other, as long as the failure still comes.
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
    uint64_t home; // what they were sent to; another value: a fresh one
} jck_history;

// Notes that a case is run on `home`; what was sent to another one is forgotten.
void jck_history_note(jck_history *history, uint64_t home, const jck_case *test_case);

// What is asked of an experiment: send these cases, in this order, to a fresh process; does the
// failure come? STOP ends the search.
typedef enum jck_trial_end {
    JCK_TRIAL_FAILS,
    JCK_TRIAL_PASSES,
    JCK_TRIAL_STOP,
} jck_trial_end;
typedef jck_trial_end (*jck_experiment)(void *context, const jck_case *const *cases, size_t count);

// Finds few of `cases` (in place: they are left at the front, in order) after which the failure
// comes. First it tries the last none, one, two, four, … of them, then leaves groups of the
// shortest such end out (delta debugging). *ret_count is how many are left. False if it never came,
// or if the first experiment was stopped; one that is stopped later ends with the best that was
// found.
bool jck_company_shrink(const jck_case **cases, size_t count, jck_experiment experiment,
                        void *context, size_t *ret_count);
// The same without the first part: all of them are tried at once.
bool jck_company_reduce(const jck_case **cases, size_t count, jck_experiment experiment,
                        void *context, size_t *ret_count);

#endif
