#include "harness/live/ahead.h"

static void *work_on(void *argument)
{
    jck_ahead *ahead = argument;
    (void)pthread_mutex_lock(&ahead->lock);
    while (!ahead->stopping) {
        if (!ahead->wanted) {
            (void)pthread_cond_wait(&ahead->changed, &ahead->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&ahead->lock);
        ahead->work(ahead->context);
        (void)pthread_mutex_lock(&ahead->lock);
        ahead->wanted = false;
        (void)pthread_cond_broadcast(&ahead->changed);
    }
    (void)pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

void jck_ahead_init(jck_ahead *ahead, void (*work)(void *context), void *context)
{
    *ahead = (jck_ahead){.work = work, .context = context};
    if (pthread_mutex_init(&ahead->lock, NULL) != 0) {
        return;
    }
    if (pthread_cond_init(&ahead->changed, NULL) != 0) {
        (void)pthread_mutex_destroy(&ahead->lock);
        return;
    }
    ahead->threaded = pthread_create(&ahead->thread, NULL, work_on, ahead) == 0;
    if (!ahead->threaded) {
        (void)pthread_cond_destroy(&ahead->changed);
        (void)pthread_mutex_destroy(&ahead->lock);
    }
}

void jck_ahead_done(jck_ahead *ahead)
{
    if (!ahead->threaded) {
        return;
    }
    (void)pthread_mutex_lock(&ahead->lock);
    ahead->stopping = true;
    (void)pthread_cond_broadcast(&ahead->changed);
    (void)pthread_mutex_unlock(&ahead->lock);
    (void)pthread_join(ahead->thread, NULL);
    (void)pthread_cond_destroy(&ahead->changed);
    (void)pthread_mutex_destroy(&ahead->lock);
    ahead->threaded = false;
}

void jck_ahead_begin(jck_ahead *ahead)
{
    if (!ahead->threaded) {
        ahead->work(ahead->context);
        return;
    }
    (void)pthread_mutex_lock(&ahead->lock);
    ahead->wanted = true;
    ahead->well_on = false;
    (void)pthread_cond_broadcast(&ahead->changed);
    (void)pthread_mutex_unlock(&ahead->lock);
}

void jck_ahead_tell(jck_ahead *ahead)
{
    if (!ahead->threaded) {
        return;
    }
    (void)pthread_mutex_lock(&ahead->lock);
    ahead->well_on = true;
    (void)pthread_cond_broadcast(&ahead->changed);
    (void)pthread_mutex_unlock(&ahead->lock);
}

void jck_ahead_wait_most(jck_ahead *ahead)
{
    if (!ahead->threaded) {
        return;
    }
    (void)pthread_mutex_lock(&ahead->lock);
    while (ahead->wanted && !ahead->well_on) {
        (void)pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    (void)pthread_mutex_unlock(&ahead->lock);
}

void jck_ahead_wait(jck_ahead *ahead)
{
    if (!ahead->threaded) {
        return;
    }
    (void)pthread_mutex_lock(&ahead->lock);
    while (ahead->wanted) {
        (void)pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    (void)pthread_mutex_unlock(&ahead->lock);
}
