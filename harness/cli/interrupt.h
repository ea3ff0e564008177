// Ctrl-C and its like: the first one asks the run to stop and finish its stream, the second one
// ends at once.
#ifndef JCK_CLI_INTERRUPT_H
#define JCK_CLI_INTERRUPT_H

#include "reference/base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define JCK_FOREIGN_CHILDREN_MAX 64

// SIGINT, SIGTERM, SIGQUIT and SIGHUP are blocked everywhere and waited for by one thread, so that
// nothing has to be done in a handler.
typedef struct jck_interrupt {
    int ends[2]; // the read end becomes readable at the first signal, and stays so
    pthread_t thread;
    pid_t foreign[JCK_FOREIGN_CHILDREN_MAX]; // children from before: never ours to end
    size_t foreign_count;
} jck_interrupt;

// Begins to watch; call before any thread is started. The storage must stay where it is until
// jck_interrupt_done. False with SYSTEM.
bool jck_interrupt_init(jck_interrupt *interrupt, jrpc_error *error);
// For poll: readable from the first signal on.
int jck_interrupt_fd(const jck_interrupt *interrupt);
// Stops watching; the signals stay blocked.
void jck_interrupt_done(jck_interrupt *interrupt);

#endif
