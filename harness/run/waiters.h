// Workers for cases that let the rest of the run pass: a pause costs no time if it passes while
// other cases run.
#ifndef JCK_RUN_WAITERS_H
#define JCK_RUN_WAITERS_H

#include "harness/run/worker.h"

#define JCK_WAITERS_MAX 2

typedef struct jck_waiters {
    jck_worker *workers;
    pthread_t threads[JCK_WAITERS_MAX];
    unsigned count;
} jck_waiters;

// Whether those that pay off have a process each.
bool jck_waiters_start_processes(const jck_worker *first);
// Starts as many as pay off; none if a further connection or process would change what is seen.
// Each has a process of its own or, if the process is not ours, a connection of its own.
void jck_waiters_start(jck_waiters *waiters, jck_worker *first, jrpc_arena *arena);
// To be called when the other workers have ended. If none was started, `first` runs the cases.
void jck_waiters_end(jck_waiters *waiters, jck_worker *first);

#endif
