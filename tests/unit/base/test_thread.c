// The pool: every job runs once, the queue is bounded, freeing runs what is queued.
#include "reference/base/thread.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool open;
    int waiting;
} gate;

static void pass_gate(void *context)
{
    gate *g = context;
    pthread_mutex_lock(&g->mutex);
    g->waiting++;
    pthread_cond_broadcast(&g->changed);
    while (!g->open) {
        pthread_cond_wait(&g->changed, &g->mutex);
    }
    pthread_mutex_unlock(&g->mutex);
}

static void await_waiting(gate *g, int waiting)
{
    pthread_mutex_lock(&g->mutex);
    while (g->waiting < waiting) {
        pthread_cond_wait(&g->changed, &g->mutex);
    }
    pthread_mutex_unlock(&g->mutex);
}

static void open_gate(gate *g)
{
    pthread_mutex_lock(&g->mutex);
    g->open = true;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->mutex);
}

static void count_up(void *context)
{
    atomic_fetch_add((atomic_int *)context, 1);
}

static void every_job_runs_once(void **state)
{
    (void)state;
    static const size_t threads[] = {1, 2, 8};
    for (size_t i = 0; i < 3; i++) {
        atomic_int runs = 0;
        jrpc_pool *pool = jrpc_pool_new(threads[i], 3, NULL);
        assert_non_null(pool);
        for (int round = 1; round <= 3; round++) {
            for (int j = 0; j < 1000; j++) {
                assert_true(jrpc_pool_submit(pool, count_up, &runs));
            }
            jrpc_pool_wait(pool);
            assert_int_equal(atomic_load(&runs), round * 1000);
        }
        jrpc_pool_free(pool);
    }
}

static void jobs_run_side_by_side(void **state)
{
    (void)state;
    gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
    jrpc_pool *pool = jrpc_pool_new(4, 4, NULL);
    assert_non_null(pool);
    for (int i = 0; i < 4; i++) {
        assert_true(jrpc_pool_submit(pool, pass_gate, &g));
    }
    await_waiting(&g, 4); // never returns unless all four run at once
    open_gate(&g);
    jrpc_pool_wait(pool);
    jrpc_pool_free(pool);
}

typedef struct long_job {
    gate started;
    atomic_int runs;
} long_job;

static void start_work_and_count_up(void *context)
{
    long_job *job = context;
    pass_gate(&job->started);
    // Long enough that a wait that looks at the queue alone returns before the end.
    atomic_int steps = 0;
    while (atomic_fetch_add(&steps, 1) < 1000000) {
    }
    count_up(&job->runs);
}

static void waiting_covers_the_job_that_is_running(void **state)
{
    (void)state;
    long_job job = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, true, 0}, 0};
    jrpc_pool *pool = jrpc_pool_new(1, 1, NULL);
    assert_non_null(pool);
    for (int i = 1; i <= 3; i++) {
        assert_true(jrpc_pool_submit(pool, start_work_and_count_up, &job));
        await_waiting(&job.started, i); // from here on the queue is empty
        jrpc_pool_wait(pool);
        assert_int_equal(atomic_load(&job.runs), i);
    }
    jrpc_pool_free(pool);
}

static void freeing_runs_what_is_queued(void **state)
{
    (void)state;
    gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
    atomic_int runs = 0;
    jrpc_pool *pool = jrpc_pool_new(1, 10, NULL);
    assert_non_null(pool);
    assert_true(jrpc_pool_submit(pool, pass_gate, &g));
    await_waiting(&g, 1);
    for (int i = 0; i < 10; i++) {
        assert_true(jrpc_pool_submit(pool, count_up, &runs));
    }
    assert_int_equal(atomic_load(&runs), 0);
    open_gate(&g);
    jrpc_pool_free(pool);
    assert_int_equal(atomic_load(&runs), 10);
    jrpc_pool_free(NULL);
}

typedef struct submitter {
    jrpc_pool *pool;
    atomic_int *runs;
    atomic_bool handed_over;
} submitter;

static void *submit_one(void *context)
{
    submitter *s = context;
    bool accepted = jrpc_pool_submit(s->pool, count_up, s->runs);
    atomic_store(&s->handed_over, accepted);
    return NULL;
}

static void a_full_queue_makes_the_submitter_wait(void **state)
{
    (void)state;
    gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
    atomic_int runs = 0;
    jrpc_pool *pool = jrpc_pool_new(1, 1, NULL);
    assert_non_null(pool);
    assert_true(jrpc_pool_submit(pool, pass_gate, &g));
    await_waiting(&g, 1);
    assert_true(jrpc_pool_submit(pool, count_up, &runs)); // fills the queue
    submitter s = {pool, &runs, false};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, submit_one, &s), 0);
    // Whenever this is looked at before the gate opens, the queue is full.
    assert_false(atomic_load(&s.handed_over));
    open_gate(&g);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(atomic_load(&s.handed_over));
    jrpc_pool_wait(pool);
    assert_int_equal(atomic_load(&runs), 2);
    jrpc_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once),
        cmocka_unit_test(jobs_run_side_by_side),
        cmocka_unit_test(waiting_covers_the_job_that_is_running),
        cmocka_unit_test(freeing_runs_what_is_queued),
        cmocka_unit_test(a_full_queue_makes_the_submitter_wait),
    };
    return cmocka_run_group_tests_name("base/thread", tests, NULL, NULL);
}
