// What the workers share about failures that come only in company.
#include "harness/run/ledger.h"

#include <string.h>

// So long, over a whole run, cases are run again because they failed in company and not alone.
#define DOUBTS_US ((int64_t)12 * 1000000)
// A kind of failure that came so often alone as in company is believed in company.
#define CONFIRMED_ENOUGH 2
// A target that answers late is waited for so often: more of it is no news.
#define LATE_CASES_MAX 2
// It is waited for half as long again as it was seen to take.
#define LATE_PART 2

static jrpc_slice rule_of(const jck_attempt *attempt)
{
    const jck_findings *findings = &attempt->verdict.findings;
    for (size_t i = 0; i < findings->count; i++) {
        if (!findings->items[i].known) {
            return findings->items[i].rule;
        }
    }
    return (jrpc_slice){NULL, 0};
}

// Two failures are of one kind if they end alike, or else break the same rule.
static bool is_of_kind(const jck_kind *kind, const jck_attempt *attempt)
{
    jck_outcome outcome = attempt->verdict.outcome;
    return kind->outcome == outcome &&
           (outcome >= JCK_OUTCOME_ENDED || jrpc_slice_equal(kind->rule, rule_of(attempt)));
}

// Called with the lock held. NULL if the kind is new.
static jck_kind *kind_of(jck_ledger *ledger, const jck_attempt *attempt)
{
    for (size_t i = 0; i < ledger->kind_count; i++) {
        if (is_of_kind(&ledger->kinds[i], attempt)) {
            return &ledger->kinds[i];
        }
    }
    return NULL;
}

const jck_case *jck_ledger_kind(jck_ledger *ledger, const jck_attempt *attempt)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_kind *kind = kind_of(ledger, attempt);
    // Where answers come late, one without an id in the middle of another case is most likely such.
    const jck_case *late = jck_attempt_foreign(attempt) == NULL ? NULL : ledger->late_case;
    const jck_case *known = kind == NULL ? late : kind->first;
    (void)pthread_mutex_unlock(&ledger->lock);
    return known;
}

void jck_ledger_note_kind(jck_ledger *ledger, const jck_attempt *attempt, const jck_case *found)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_kind *kind = kind_of(ledger, attempt);
    if (kind == NULL && ledger->kind_count < JCK_KINDS_MAX) {
        // The rule's name belongs to the suite where it has it: the attempt is freed before the
        // ledger.
        const jck_rule *rule = jck_suite_find_rule(ledger->options->suite, rule_of(attempt));
        kind = &ledger->kinds[ledger->kind_count++];
        *kind = (jck_kind){.outcome = attempt->verdict.outcome, .first = found};
        kind->rule = rule == NULL ? kind->rule : rule->id;
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

// The part of a case's id before '/', where that tells kinds of failure apart: an ending may come
// late, and whoever happens to be there then is not the cause; a hasty look says little.
static jrpc_slice group_of(const jck_case *test_case, const jck_attempt *seen)
{
    if (!seen->hasty && seen->verdict.outcome < JCK_OUTCOME_ENDED) {
        return (jrpc_slice){NULL, 0};
    }
    const char *end = memchr(test_case->id.ptr, '/', test_case->id.len);
    size_t len = end == NULL ? test_case->id.len : (size_t)(end - test_case->id.ptr);
    return jrpc_slice_of(test_case->id.ptr, len);
}

// Called with the lock held. NULL if there is none.
static jck_trusted *trusted_of(jck_ledger *ledger, const jck_case *test_case,
                               const jck_attempt *seen)
{
    jrpc_slice rule = rule_of(seen);
    jrpc_slice group = group_of(test_case, seen);
    for (size_t i = 0; i < ledger->trusted_count; i++) {
        jck_trusted *kind = &ledger->trusted[i];
        if (kind->outcome == seen->verdict.outcome && kind->hasty == seen->hasty &&
            jrpc_slice_equal(kind->rule, rule) && jrpc_slice_equal(kind->group, group) &&
            kind->ending.kind == seen->evidence.end.kind &&
            kind->ending.value == seen->evidence.end.value) {
            return kind;
        }
    }
    return NULL;
}

bool jck_ledger_trusts(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_trusted *kind = trusted_of(ledger, test_case, seen);
    bool trusts =
        kind != NULL && kind->confirmed >= CONFIRMED_ENOUGH && ledger->refuted[seen->hasty] == 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return trusts;
}

void jck_ledger_note_confirmed(jck_ledger *ledger, const jck_case *test_case,
                               const jck_attempt *seen, bool same)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_trusted *kind = trusted_of(ledger, test_case, seen);
    if (kind == NULL && same && ledger->trusted_count < JCK_TRUSTED_MAX) {
        const jck_rule *rule = jck_suite_find_rule(ledger->options->suite, rule_of(seen));
        kind = &ledger->trusted[ledger->trusted_count++];
        *kind = (jck_trusted){.outcome = seen->verdict.outcome,
                              .ending = seen->evidence.end,
                              .group = group_of(test_case, seen),
                              .hasty = seen->hasty};
        kind->rule = rule == NULL ? kind->rule : rule->id;
    }
    if (same && kind != NULL) {
        kind->confirmed++;
    }
    ledger->refuted[seen->hasty] += !same;
    (void)pthread_mutex_unlock(&ledger->lock);
}

int64_t jck_ledger_doubt(jck_ledger *ledger, int64_t spent_us)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->doubts_us += spent_us;
    int64_t left = DOUBTS_US - ledger->doubts_us;
    (void)pthread_mutex_unlock(&ledger->lock);
    return left > 0 ? left : 0;
}

void jck_ledger_note_late(jck_ledger *ledger, int64_t late_us, const jck_case *answered)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->late_case = ledger->late_case == NULL ? answered : ledger->late_case;
    ledger->late_us = late_us > ledger->late_us ? late_us : ledger->late_us;
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_asks_late(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool first = ledger->late_asked++ == 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return first;
}

int64_t jck_ledger_lateness(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool wait = ledger->late_us > 0 && ledger->late_seen < LATE_CASES_MAX;
    ledger->late_seen += wait;
    int64_t wait_us = wait ? ledger->late_us + ledger->late_us / LATE_PART : 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return (wait_us + 999) / 1000;
}
