// One thing at a time that is done ahead, by a thread of its own, while its owner does another.
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
    bool wanted; // and not done yet
    bool stopping;
    bool threaded; // else the work is done at once
} jck_ahead;

// Makes it ready in the caller's storage, with a thread if there can be one.
void jck_ahead_init(jck_ahead *ahead, void (*work)(void *context), void *context);
void jck_ahead_done(jck_ahead *ahead);
// Begins the work. Between this and jck_ahead_wait the caller keeps away from what the work uses.
void jck_ahead_begin(jck_ahead *ahead);
// Waits until the work that was begun is done.
void jck_ahead_wait(jck_ahead *ahead);

#endif
