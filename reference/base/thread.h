// Threads with a bound: a queue of jobs that never grows past its capacity, and a pool over it.
#ifndef JRPC_BASE_THREAD_H
#define JRPC_BASE_THREAD_H

#include "reference/base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct jrpc_pool jrpc_pool;

// Starts `threads` (1 to 256) workers with a queue of `capacity` jobs. NULL and *error (MEMORY,
// SYSTEM) on failure. Owned: free with jrpc_pool_free.
jrpc_pool *jrpc_pool_new(size_t threads, size_t capacity, jrpc_error *error);
// Hands a job over; blocks while the queue is full. False once the pool is stopping.
bool jrpc_pool_submit(jrpc_pool *pool, void (*job)(void *context), void *context);
// Waits until every submitted job has run.
void jrpc_pool_wait(jrpc_pool *pool);
// Runs what is queued, joins the workers, frees. Accepts NULL.
void jrpc_pool_free(jrpc_pool *pool);

#endif
