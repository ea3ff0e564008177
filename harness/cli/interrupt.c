#include "harness/cli/interrupt.h"

#include "harness/cli/exit.h"
#include "reference/base/os_linux.h"
#include "reference/net/process.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void watched_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGQUIT);
    // If we were started with SIGHUP ignored, as nohup does, the run should continue.
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) != 0 || hangup.sa_handler != SIG_IGN) {
        sigaddset(set, SIGHUP);
    }
}

static void stop_run(const jck_interrupt *interrupt)
{
    ssize_t ignored = write(interrupt->ends[1], "", 1);
    (void)ignored;
}

// Waits for a signal until the time limit. Returns whether one came.
static bool wait_within_limit(const jck_interrupt *interrupt, const sigset_t *set)
{
    const struct timespec limit = {.tv_sec = (time_t)(interrupt->limit_us / 1000000),
                                   .tv_nsec = (long)(interrupt->limit_us % 1000000 * 1000)};
    int taken;
    do {
        taken = sigtimedwait(set, NULL, &limit);
    } while (taken < 0 && errno == EINTR);
    return taken > 0;
}

static void *watch(void *context)
{
    jck_interrupt *interrupt = context;
    sigset_t set;
    watched_signals(&set);
    bool signalled = interrupt->limit_us > 0 && wait_within_limit(interrupt, &set);
    if (interrupt->limit_us > 0 && !signalled) {
        stop_run(interrupt);
    }
    for (unsigned seen = 0;; seen++) {
        int signal_number;
        if (!signalled && sigwait(&set, &signal_number) != 0) {
            return NULL;
        }
        signalled = false;
        if (atomic_load(&interrupt->done)) {
            return NULL;
        }
        if (seen > 0) {
            jrpc_process_kill_descendants();
            _exit(JCK_EXIT_INTERRUPTED);
        }
        stop_run(interrupt);
    }
}

bool jck_interrupt_init(jck_interrupt *interrupt, jrpc_error *error)
{
    return jck_interrupt_init_within(interrupt, 0, error);
}

bool jck_interrupt_init_within(jck_interrupt *interrupt, int64_t limit_us, jrpc_error *error)
{
    *interrupt = (jck_interrupt){.ends = {-1, -1}, .limit_us = limit_us};
    if (!jrpc_os_pipe(interrupt->ends)) {
        return jrpc_error_set_errno(error, errno, "cannot make a pipe for signals");
    }
    sigset_t set;
    watched_signals(&set);
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure == 0) {
        failure = pthread_create(&interrupt->thread, NULL, watch, interrupt);
    }
    if (failure != 0) {
        (void)close(interrupt->ends[0]);
        (void)close(interrupt->ends[1]);
        return jrpc_error_set_errno(error, failure, "cannot watch for signals");
    }
    return true;
}

int jck_interrupt_fd(const jck_interrupt *interrupt)
{
    return interrupt->ends[0];
}

void jck_interrupt_done(jck_interrupt *interrupt)
{
    // The thread is not cancelled: that loads a library, which needs a free file descriptor.
    atomic_store(&interrupt->done, true);
    (void)pthread_kill(interrupt->thread, SIGINT);
    (void)pthread_join(interrupt->thread, NULL);
    (void)close(interrupt->ends[0]);
    (void)close(interrupt->ends[1]);
}
