#include "harness/run/once.h"

#include "harness/link/open.h"

void jck_once_begin(jck_worker *first, bool tries)
{
    jck_once *once = &first->ledger->once;
    once->twice = tries ? JCK_TWICE_UNTRIED : JCK_TWICE_RUNS;
    once->apart = tries;
    once->holders = 1;
    first->entered = true;
    if (tries && !jck_ledger_stopping(first->ledger)) {
        jrpc_error ignored = {0};
        first->link.bare = false;
        (void)jck_link_open(&first->link, 'a',
                            &ignored); // if it cannot be opened, a case reports it
    }
}

// Called with the lock held.
static void conclude(jck_ledger *ledger, jck_twice twice, const jrpc_error *error)
{
    jck_once *once = &ledger->once;
    if (twice == JCK_TWICE_FAILS && once->twice != JCK_TWICE_FAILS) {
        once->why = *error;
    }
    once->twice = twice;
    (void)pthread_cond_broadcast(&once->changed);
}

// A second process that waits for the end of the first one answers nothing: it gets this long, or
// so many times as long as the first one needed to start.
#define OPENS_MS 1000
#define OPENS_TIMES 4

static jck_link_status open_beside(jck_worker *worker, jrpc_error *error)
{
    const jck_timing timing = worker->link.timing;
    int64_t usual_ms = worker->link.learned.starts_us * OPENS_TIMES / 1000;
    worker->link.timing.start_ms = usual_ms > OPENS_MS ? usual_ms : OPENS_MS;
    jck_link_status status = jck_link_open(&worker->link, 'a', error);
    if (status == JCK_LINK_UNOPENED) { // once, it may fail to start for another reason
        status = jck_link_open(&worker->link, 'a', error);
    }
    worker->link.timing = timing;
    return status;
}

bool jck_once_enter(jck_worker *worker)
{
    jck_ledger *ledger = worker->ledger;
    jck_once *once = &ledger->once;
    (void)pthread_mutex_lock(&ledger->lock);
    while (once->twice == JCK_TWICE_TRYING) {
        (void)pthread_cond_wait(&once->changed, &ledger->lock);
    }
    if (once->twice == JCK_TWICE_UNTRIED) {
        jrpc_error error = {0};
        once->twice = JCK_TWICE_TRYING;
        (void)pthread_mutex_unlock(&ledger->lock);
        jck_link_status status = open_beside(worker, &error);
        bool fails = status == JCK_LINK_UNOPENED || status == JCK_LINK_MUTE;
        (void)pthread_mutex_lock(&ledger->lock);
        conclude(ledger, fails ? JCK_TWICE_FAILS : JCK_TWICE_RUNS, &error);
    }
    worker->entered = once->twice != JCK_TWICE_FAILS;
    once->holders += worker->entered;
    (void)pthread_mutex_unlock(&ledger->lock);
    return worker->entered;
}

void jck_once_leave(jck_worker *worker)
{
    jck_ledger *ledger = worker->ledger;
    jck_link_drop_aside(&worker->link); // its process may take its time to end
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->once.holders -= worker->entered;
    worker->entered = false;
    (void)pthread_cond_broadcast(&ledger->once.changed);
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_once_await(jck_worker *first, bool begins)
{
    jck_ledger *ledger = first->ledger;
    jck_once *once = &ledger->once;
    (void)pthread_mutex_lock(&ledger->lock);
    while (!ledger->stopping &&
           (once->twice == JCK_TWICE_TRYING || (begins && once->twice == JCK_TWICE_UNTRIED))) {
        (void)pthread_cond_wait(&once->changed, &ledger->lock);
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_once_retries(jck_worker *worker, const jrpc_error *error)
{
    jck_ledger *ledger = worker->ledger;
    jck_once *once = &ledger->once;
    (void)pthread_mutex_lock(&ledger->lock);
    bool others = once->apart && once->holders > 1 && !ledger->stopping;
    if (others) {
        conclude(ledger, JCK_TWICE_FAILS, error);
        // Others that wait here have no process either. One after the other goes on.
        once->holders--;
        (void)pthread_cond_broadcast(&once->changed);
        while (once->holders > 0) {
            (void)pthread_cond_wait(&once->changed, &ledger->lock);
        }
        once->holders++;
    }
    (void)pthread_mutex_unlock(&ledger->lock);
    return others;
}

bool jck_once_is_found(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool found = ledger->once.twice == JCK_TWICE_FAILS;
    (void)pthread_mutex_unlock(&ledger->lock);
    return found;
}

bool jck_once_gives_way(jck_worker *worker)
{
    return worker->further && jck_once_is_found(worker->ledger);
}
