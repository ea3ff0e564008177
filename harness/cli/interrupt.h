// Ctrl-C, a closed terminal, a cancelled job: the first signal asks the run to stop and finish its
// stream, the second one ends the program at once. In both cases the children are ended too. A time
// limit stops a run in the same way, whatever it is waiting for.
#ifndef JCK_CLI_INTERRUPT_H
#define JCK_CLI_INTERRUPT_H

#include "reference/base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// SIGINT, SIGTERM, SIGHUP and SIGQUIT are blocked everywhere and awaited by one thread, so that no
// work is done in a handler.
typedef struct jck_interrupt {
    int ends[2];      // the read end becomes readable at the first signal, and stays readable
    int64_t limit_us; // … or after this time; 0: no limit
    pthread_t thread;
    atomic_bool done; // the next signal only wakes the thread
} jck_interrupt;

// Starts watching; call it before any thread is started. The storage must not move until
// jck_interrupt_done. False with SYSTEM.
bool jck_interrupt_init(jck_interrupt *interrupt, jrpc_error *error);
// The same with a time limit, in microseconds from now.
bool jck_interrupt_init_within(jck_interrupt *interrupt, int64_t limit_us, jrpc_error *error);
// For poll: readable after the first signal or the time limit.
int jck_interrupt_fd(const jck_interrupt *interrupt);
// Stops watching; the signals stay blocked.
void jck_interrupt_done(jck_interrupt *interrupt);

#endif
