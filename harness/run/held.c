#include "harness/run/held.h"

#include "harness/run/provisional.h"
#include "harness/run/values.h"

#include <stdio.h>

size_t jck_held_count(const jck_worker *worker)
{
    size_t count = 0;
    for (const jck_execution *at = worker->held; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

void jck_held_report(jck_worker *worker, size_t recent)
{
    size_t count = jck_held_count(worker);
    jck_execution **place = &worker->held;
    size_t silent = 0;
    for (size_t i = 0; i < count && *place != NULL; i++) {
        jck_execution *at = *place;
        bool waits = recent > 0 && jck_execution_kept_silence(at) && silent < JCK_SILENT_MAX;
        silent += waits;
        if (waits || at->pending || i + recent >= count) {
            place = &at->next;
            continue;
        }
        *place = at->next;
        if (at->judged && jck_values_shown(worker->link.target, &at->attempt->evidence)) {
            atomic_store(&worker->ledger->reads_values, true);
        }
        jck_ledger_note_fate(worker->ledger, at, true);
        jck_ledger_report_execution(worker->ledger, at);
        jck_provisional_end(worker->ledger, at);
        jck_execution_free(at);
    }
}

void jck_held_add(jck_worker *worker, jck_execution *execution)
{
    jck_execution **place = &worker->held;
    while (*place != NULL) {
        place = &(*place)->next;
    }
    *place = execution;
}

jck_execution *jck_held_last(const jck_worker *worker)
{
    jck_execution *last = worker->held;
    while (last != NULL && last->next != NULL) {
        last = last->next;
    }
    return last;
}

jck_execution *jck_held_of(const jck_worker *worker, const jck_case *test_case)
{
    jck_execution *found = NULL;
    for (jck_execution *at = worker->held; at != NULL; at = at->next) {
        found = at->test_case == test_case ? at : found;
    }
    return found;
}

jck_execution *jck_held_owner(const jck_worker *worker, const jck_attempt *attempt,
                              jrpc_slice bytes, int *ret_step)
{
    for (jck_execution *at = worker->held; at != NULL; at = at->next) {
        if (!at->judged || at->attempt == attempt) {
            continue;
        }
        for (int step = 0; step < (int)at->test_case->step_count; step++) {
            char id[64];
            int len = snprintf(id, sizeof id, "\"jck-%08x-%u-%d\"", at->attempt->variables.nonce,
                               at->attempt->variables.serial, step);
            if (jrpc_slice_contains(bytes, jrpc_slice_of(id, (size_t)len))) {
                *ret_step = step;
                return at;
            }
        }
    }
    return NULL;
}

void jck_held_doubt(jck_worker *worker, uint64_t number)
{
    for (jck_execution *at = worker->held; at != NULL; at = at->next) {
        if (at->pending && at->attempt->listening == number) {
            at->attempt->listening = 0;
        }
    }
}

void jck_held_settle(jck_worker *worker, bool ends)
{
    jck_execution **place = &worker->held;
    while (*place != NULL) {
        jck_execution *at = *place;
        if (at->pending && ends) {
            *place = at->next;
            jck_execution_free(at);
        } else {
            at->pending = false;
            place = &at->next;
        }
    }
}
