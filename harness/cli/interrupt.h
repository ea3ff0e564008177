// Ctrl-C, a terminal that is closed, a job that is cancelled: the first signal asks the run to
// stop and finish its stream, the second one ends at once. Either way the children go too.
#ifndef JCK_CLI_INTERRUPT_H
#define JCK_CLI_INTERRUPT_H

#include "reference/base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// SIGINT, SIGTERM, SIGHUP and SIGQUIT are blocked everywhere and waited for by one thread, so that
// nothing has to be done in a handler.
typedef struct jck_interrupt {
    int ends[2]; // the read end becomes readable at the first signal, and stays so
    pthread_t thread;
    atomic_bool done; // the next signal only wakes the thread
} jck_interrupt;

// Begins to watch; call before any thread is started. The storage must stay where it is until
// jck_interrupt_done. False with SYSTEM.
bool jck_interrupt_init(jck_interrupt *interrupt, jrpc_error *error);
// For poll: readable from the first signal on.
int jck_interrupt_fd(const jck_interrupt *interrupt);
// Stops watching; the signals stay blocked.
void jck_interrupt_done(jck_interrupt *interrupt);

#endif
