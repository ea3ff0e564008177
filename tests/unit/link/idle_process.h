// A process of ours that does nothing.
#ifndef JCK_TEST_IDLE_PROCESS_H
#define JCK_TEST_IDLE_PROCESS_H

#include "harness/link/host.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// A process of its own group that does nothing.
static inline pid_t start_idle(void)
{
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)setpgid(0, 0);
        (void)close(ready[1]);
        (void)(read(ready[0], &byte, 1) == 0); // until the test is over
        _exit(0);
    }
    (void)setpgid(pid, pid);
    (void)close(ready[0]);
    int64_t deadline_us = jrpc_deadline_in_ms(jrpc_clock_monotonic(), 10000);
    while (jck_process_is_busy(pid) && jrpc_clock_now_us(jrpc_clock_monotonic()) < deadline_us) {
    }
    assert_false(jck_process_is_busy(pid));
    return pid;
}

static inline void end_idle(pid_t pid)
{
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

#endif
