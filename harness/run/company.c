#include "harness/run/company.h"

#include <string.h>

void jck_history_note(jck_history *history, uint64_t home, const jck_case *test_case)
{
    if (history->home != home) {
        history->home = home;
        history->count = 0;
    }
    if (history->count == JCK_HISTORY_MAX) {
        history->count--;
        memmove(history->cases, history->cases + 1, history->count * sizeof *history->cases);
    }
    history->cases[history->count++] = test_case;
}

// Tries the cases without those from `from` to `to`; leaves them out if the failure still comes.
static jck_trial_end leave_out(const jck_case **cases, size_t *count, size_t from, size_t to,
                               jck_experiment experiment, void *context)
{
    const jck_case *left[JCK_HISTORY_MAX];
    memcpy(left, cases, from * sizeof *cases);
    memcpy(left + from, cases + to, (*count - to) * sizeof *cases);
    size_t rest = *count - (to - from);
    jck_trial_end end = experiment(context, left, rest);
    if (end == JCK_TRIAL_FAILS) {
        memcpy(cases, left, rest * sizeof *cases);
        *count = rest;
    }
    return end;
}

// Leaves groups out, halves first, then smaller and smaller ones, until no single case can be left
// out.
static size_t reduce(const jck_case **cases, size_t count, jck_experiment experiment, void *context)
{
    size_t group = (count + 1) / 2;
    while (count > 0) {
        bool spared = false;
        for (size_t at = 0; at < count;) {
            size_t to = at + group < count ? at + group : count;
            switch (leave_out(cases, &count, at, to, experiment, context)) {
            case JCK_TRIAL_FAILS:
                spared = true; // what follows has moved to `at`
                break;
            case JCK_TRIAL_PASSES:
                at = to;
                break;
            case JCK_TRIAL_STOP:
                return count;
            }
        }
        if (group == 1 && !spared) {
            break;
        }
        group = group == 1 ? 1 : (group + 1) / 2;
        group = group > count ? (count > 0 ? count : 1) : group;
    }
    return count;
}

bool jck_company_reduce(const jck_case **cases, size_t count, jck_experiment experiment,
                        void *context, size_t *ret_count)
{
    if (experiment(context, cases, count) != JCK_TRIAL_FAILS) {
        return false;
    }
    *ret_count = reduce(cases, count, experiment, context);
    return true;
}

bool jck_company_shrink(const jck_case **cases, size_t count, jck_experiment experiment,
                        void *context, size_t *ret_count)
{
    for (size_t len = 0;; len = len == 0 ? 1 : 2 * len) {
        len = len < count ? len : count;
        const jck_case **end = cases + (count - len);
        switch (experiment(context, end, len)) {
        case JCK_TRIAL_FAILS:
            memmove(cases, end, len * sizeof *cases);
            *ret_count = reduce(cases, len, experiment, context);
            return true;
        case JCK_TRIAL_PASSES:
            if (len == count) {
                return false;
            }
            break;
        case JCK_TRIAL_STOP:
            return false;
        }
    }
}
