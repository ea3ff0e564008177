#include "reference/base/thread.h"

#include "reference/base/checked.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS_MOST ((size_t)256)

typedef struct job {
    void (*run)(void *context);
    void *context;
} job;

struct jrpc_pool {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty; // or stopping
    pthread_cond_t not_full;  // or stopping
    pthread_cond_t idle;      // nothing queued, nothing running
    pthread_t *threads;
    size_t thread_count;
    job *queue; // a ring
    size_t capacity;
    size_t first;
    size_t queued;
    size_t running;
    bool stopping;
};

static void *work(void *context)
{
    jrpc_pool *pool = context;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->queued == 0 && !pool->stopping) {
            pthread_cond_wait(&pool->not_empty, &pool->mutex);
        }
        if (pool->queued == 0) {
            break;
        }
        job next = pool->queue[pool->first];
        pool->first = (pool->first + 1) % pool->capacity;
        pool->queued--;
        pool->running++;
        pthread_cond_signal(&pool->not_full);
        pthread_mutex_unlock(&pool->mutex);
        next.run(next.context);
        pthread_mutex_lock(&pool->mutex);
        pool->running--;
        if (pool->running == 0 && pool->queued == 0) {
            pthread_cond_broadcast(&pool->idle);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void destroy(jrpc_pool *pool)
{
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->not_full);
    pthread_cond_destroy(&pool->not_empty);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->queue);
    free(pool->threads);
    free(pool);
}

// Initialized as a whole or not at all, so that `destroy` never meets half of it.
static bool init_locks(jrpc_pool *pool)
{
    if (pthread_mutex_init(&pool->mutex, NULL) != 0) {
        return false;
    }
    pthread_cond_t *conditions[] = {&pool->not_empty, &pool->not_full, &pool->idle};
    for (size_t i = 0; i < 3; i++) {
        if (pthread_cond_init(conditions[i], NULL) != 0) {
            while (i > 0) {
                pthread_cond_destroy(conditions[--i]);
            }
            pthread_mutex_destroy(&pool->mutex);
            return false;
        }
    }
    return true;
}

static jrpc_pool *allocate_pool(size_t threads, size_t capacity)
{
    jrpc_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pool->capacity = capacity;
    pool->threads = calloc(threads, sizeof *pool->threads);
    pool->queue = calloc(capacity, sizeof *pool->queue);
    if (pool->threads == NULL || pool->queue == NULL || !init_locks(pool)) {
        free(pool->queue);
        free(pool->threads);
        free(pool);
        return NULL;
    }
    return pool;
}

jrpc_pool *jrpc_pool_new(size_t threads, size_t capacity, jrpc_error *error)
{
    assert(threads >= 1 && threads <= THREADS_MOST && capacity >= 1);
    jrpc_pool *pool = allocate_pool(threads, capacity);
    if (pool == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a pool of %zu threads",
                             threads);
        return NULL;
    }
    for (; pool->thread_count < threads; pool->thread_count++) {
        int result = pthread_create(&pool->threads[pool->thread_count], NULL, work, pool);
        if (result != 0) {
            (void)jrpc_error_set_errno(error, result, "a thread cannot be started");
            jrpc_pool_free(pool);
            return NULL;
        }
    }
    return pool;
}

bool jrpc_pool_submit(jrpc_pool *pool, void (*run)(void *context), void *context)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->queued == pool->capacity && !pool->stopping) {
        pthread_cond_wait(&pool->not_full, &pool->mutex);
    }
    bool accepted = !pool->stopping;
    if (accepted) {
        pool->queue[(pool->first + pool->queued) % pool->capacity] = (job){run, context};
        pool->queued++;
        pthread_cond_signal(&pool->not_empty);
    }
    pthread_mutex_unlock(&pool->mutex);
    return accepted;
}

void jrpc_pool_wait(jrpc_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->queued > 0 || pool->running > 0) {
        pthread_cond_wait(&pool->idle, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

void jrpc_pool_free(jrpc_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->not_empty);
    pthread_cond_broadcast(&pool->not_full);
    pthread_mutex_unlock(&pool->mutex);
    for (size_t i = 0; i < pool->thread_count; i++) {
        (void)pthread_join(pool->threads[i], NULL);
    }
    destroy(pool);
}
