// One thing at a time that is done ahead, in a thread of its own, while its owner does something
// else.
#ifndef JCK_LIVE_AHEAD_H
#define JCK_LIVE_AHEAD_H

#include <pthread.h>
#include <stdbool.h>

typedef struct jck_ahead {
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t changed;
    void (*work)(void *context);
    void *context;
    bool wanted;  // and not done yet
    bool well_on; // most of it is done
    bool stopping;
    bool threaded; // else the work is done immediately
} jck_ahead;

// Initializes caller's storage, with a thread if one can be started.
void jck_ahead_init(jck_ahead *ahead, void (*work)(void *context), void *context);
void jck_ahead_done(jck_ahead *ahead);
// Begins the work. Until jck_ahead_wait the caller must not touch what the work uses.
void jck_ahead_begin(jck_ahead *ahead);
// For the work: says that most of it is done.
void jck_ahead_tell(jck_ahead *ahead);
// Waits until the work has told so, or is done.
void jck_ahead_wait_most(jck_ahead *ahead);
// Waits until the work is done.
void jck_ahead_wait(jck_ahead *ahead);

#endif
