#include "harness/run/waiters.h"

#include "harness/link/prelude.h"
#include "harness/run/once.h"
#include "harness/run/reserve.h"

// A process that starts in less than this costs little beside the run.
#define CHEAP_START_US 300000

static void *run_waiter(void *context)
{
    jck_worker *worker = context;
    if (jck_once_enter(worker)) {
        jck_worker_run_resting(worker);
    }
    jck_link_farewell(&worker->link);
    jck_link_stop(&worker->link);
    jck_once_leave(worker);
    return NULL;
}

// Whether a further connection leaves the others alone. If the process is ours, cases of others may
// end it, which would then be blamed on the one that waits.
static bool shares_well(const jck_worker *first)
{
    const jck_link *link = &first->link;
    return first->session.served >= 2 && first->session.room != 1 &&
           !jck_host_is_used(link->host) && !first->ledger->mixes_connections &&
           !jck_link_exchanges(link);
}

static unsigned choose(const jck_worker *first, bool apart)
{
    const jck_ledger *ledger = first->ledger;
    const jck_run_options *options = ledger->options;
    bool careful = options->jobs == 1 || jck_reserve_is_careful(options, &first->link);
    if (first->plan->resting_count == 0 || careful || !(apart || shares_well(first))) {
        return 0;
    }
    bool cheap = !apart || first->link.learned.starts_us < CHEAP_START_US;
    return cheap ? JCK_WAITERS_MAX : 1;
}

bool jck_waiters_start_processes(const jck_worker *first)
{
    bool apart = jck_target_traits(first->link.target)->is_child ||
                 jck_target_has_own_port(first->link.target);
    return apart && choose(first, apart) > 0;
}

void jck_waiters_start(jck_waiters *waiters, jck_worker *first, jrpc_arena *arena)
{
    const jck_worker *last = NULL;
    jck_ledger *ledger = first->ledger;
    bool child = jck_target_traits(first->link.target)->is_child;
    bool own_port = !child && jck_target_has_own_port(ledger->options->target);
    unsigned wanted = choose(first, child || own_port);
    *waiters = (jck_waiters){.workers = jrpc_arena_array(arena, wanted + 1, sizeof(jck_worker))};
    for (bool goes_on = waiters->workers != NULL; goes_on && waiters->count < wanted;) {
        jck_worker *worker = &waiters->workers[waiters->count];
        goes_on = jck_worker_init_further(worker, first, last, own_port) &&
                  pthread_create(&waiters->threads[waiters->count], NULL, run_waiter, worker) == 0;
        if (goes_on) {
            waiters->count++;
            last = worker;
        } else {
            jck_worker_done(worker);
        }
    }
}

void jck_waiters_end(jck_waiters *waiters, jck_worker *first)
{
    atomic_store(&first->ledger->rest_is_over, true);
    for (unsigned i = 0; i < waiters->count; i++) {
        (void)pthread_join(waiters->threads[i], NULL);
    }
    bool left = waiters->count == 0 || jck_once_is_found(first->ledger);
    if (left && first->ledger->options->explore == NULL) {
        jck_worker_run_resting(first);
    }
}
