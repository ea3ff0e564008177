#include "harness/run/provisional.h"

#include <string.h>

// A target that needs longer than this for a message is waited for.
#define SLOW_US 50000

bool jck_provisional_is_possible(const jck_ledger *ledger, const jck_link *link)
{
    const jck_run_options *options = ledger->options;
    return !ledger->patient && !options->fail_fast && options->explore == NULL &&
           !jck_link_exchanges(link) && link->learned.us_per_message <= SLOW_US;
}

void jck_provisional_begin(jck_ledger *ledger, jck_execution *execution)
{
    (void)pthread_mutex_lock(&ledger->lock);
    execution->provisional = true;
    execution->taught = execution->outcome;
    execution->taught_by = jck_attempt_heard_all(execution->attempt);
    ledger->provisional++;
    (void)pthread_mutex_unlock(&ledger->lock);
}

// Emits the lines that were kept, each with its line feed. Called with the lock held.
static void emit_kept(jck_ledger *ledger)
{
    jrpc_slice rest = jrpc_buffer_slice(&ledger->kept);
    while (rest.len > 0 && !ledger->is_void) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = (size_t)(end - rest.ptr) + 1;
        ledger->options->emit(ledger->options->context, jrpc_slice_of(rest.ptr, len));
        rest = jrpc_slice_from(rest, len);
    }
    jrpc_buffer_clear(&ledger->kept);
}

// One reason less to keep lines. Called with the lock held.
static void let_go(jck_ledger *ledger)
{
    ledger->provisional--;
    if (ledger->provisional == 0) {
        emit_kept(ledger);
    }
}

void jck_provisional_end(jck_ledger *ledger, const jck_execution *execution)
{
    if (!execution->provisional) {
        return;
    }
    bool stands = execution->outcome == execution->taught &&
                  jck_attempt_heard_all(execution->attempt) == execution->taught_by;
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->is_void = ledger->is_void || !stands;
    ledger->stopping = ledger->stopping || !stands;
    let_go(ledger);
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_provisional_begin_grounds(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->provisional++;
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_provisional_end_grounds(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    let_go(ledger);
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_provisional_flush(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    emit_kept(ledger);
    (void)pthread_mutex_unlock(&ledger->lock);
}
