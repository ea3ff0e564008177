#include "harness/run/crew.h"

#include "harness/link/prelude.h"
#include "harness/run/once.h"
#include "harness/run/reserve.h"
#include "harness/run/waiters.h"

#include <pthread.h>

static void run_share(jck_worker *worker)
{
    const jck_run_options *options = worker->ledger->options;
    if (options->explore != NULL) {
        options->explore(options->explorer, worker);
    } else {
        jck_worker_run_cases(worker);
    }
}

// Each worker ends its own process, because a process may take its time for that.
static void leave(jck_worker *worker)
{
    if (worker->ledger->apart) {
        jck_link_farewell(&worker->link);
        jck_link_stop(&worker->link);
    }
}

// If the user gave no number of workers, a further one takes no case before the target answers it.
// If it does not, fewer workers run the same plan, which need not be reported.
static void *run_worker(void *context)
{
    jck_worker *worker = context;
    bool needed = !worker->reserved || jck_reserve_wait(worker->ledger);
    if (needed && jck_once_enter(worker) &&
        (worker->ledger->options->jobs > 0 || jck_worker_is_let_in(worker))) {
        run_share(worker);
    }
    leave(worker);
    jck_once_leave(worker);
    return NULL;
}

void jck_crew_settle_account(jck_ledger *ledger, const jck_worker *worker)
{
    ledger->result.timers_expired += worker->session.timers_expired;
    ledger->result.sessions_lost += worker->sessions_lost;
    jck_spent_add(&ledger->result.spent, &worker->link.spent);
}

void jck_crew_run(jck_ledger *ledger, const jck_plan *plan, jck_worker *first, int64_t took_us,
                  jrpc_arena *arena)
{
    const jck_others others = jck_reserve_choose(ledger, &first->link, first->session.room == 1,
                                                 plan, took_us, first->longest_us);
    ledger->apart = others.apart;
    const unsigned at_once = others.count - others.reserved;
    ledger->jobs = at_once == 0 ? 1 : 1 + others.count;
    ledger->reserve.size = others.reserved;
    ledger->taken =
        others.count == 0 ? NULL : jrpc_arena_array(arena, plan->case_count + 1, sizeof(bool));
    jck_ledger_begin_crowd(ledger, 1 + at_once);
    jck_worker *workers = jrpc_arena_array(arena, others.count + 1, sizeof *workers);
    pthread_t *threads = jrpc_arena_array(arena, others.count + 1, sizeof *threads);
    const bool is_child = jck_target_traits(first->link.target)->is_child;
    jck_once_begin(first,
                   (ledger->apart && others.count > 0) || jck_waiters_start_processes(first));
    // Their silences last longest, so they begin first.
    jck_waiters waiters;
    jck_waiters_start(&waiters, first, arena);
    const jck_worker *last = waiters.count == 0 ? NULL : &waiters.workers[waiters.count - 1];
    unsigned started = 0;
    while (workers != NULL && threads != NULL && started < others.count) {
        jck_worker *worker = &workers[started];
        bool made = jck_worker_init_further(worker, first, last, ledger->apart && !is_child);
        worker->optional = ledger->options->jobs == 0;
        worker->reserved = started >= at_once;
        if (!made || pthread_create(&threads[started], NULL, run_worker, worker) != 0) {
            jck_worker_done(worker);
            break; // fewer workers run the same plan
        }
        last = worker;
        started++;
    }
    jck_once_await(first, waiters.count > 0 || (started > 0 && at_once > 0));
    run_share(first);
    jck_reserve_end(ledger);
    const bool leaves = waiters.count > 0 || jck_once_is_found(ledger);
    if (leaves) {
        leave(first);
        jck_once_leave(first); // others may be waiting for that
    }
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
        jck_crew_settle_account(ledger, &workers[i]);
        jck_worker_done(&workers[i]);
    }
    jck_waiters_end(&waiters, first);
    for (unsigned i = 0; i < waiters.count; i++) {
        jck_crew_settle_account(ledger, &waiters.workers[i]);
        jck_worker_done(&waiters.workers[i]);
    }
    if (!leaves || jck_once_is_found(ledger)) {
        leave(first);
    }
}
