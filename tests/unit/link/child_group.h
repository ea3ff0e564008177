// A process of ours, in a group of its own, that works or does nothing.
#ifndef JCK_TEST_CHILD_GROUP_H
#define JCK_TEST_CHILD_GROUP_H

#include "harness/link/host.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// A process in a group of its own that works all the time, or only waits. It is known to have
// begun.
static inline pid_t start_child(bool works)
{
    int ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)setpgid(0, 0);
        (void)write(ends[1], &byte, 1);
        (void)close(ends[1]);
        for (volatile unsigned count = 0;; count = count + 1) {
            if (!works) {
                (void)pause();
            }
        }
    }
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0); // it has closed its end
    (void)close(ends[0]);
    return child;
}

static inline void end_child(pid_t child)
{
    (void)kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

// The same once it is seen to do nothing.
static inline pid_t start_idle(void)
{
    pid_t child = start_child(false);
    int64_t deadline_us = jrpc_deadline_in_ms(jrpc_clock_monotonic(), 10000);
    while (jck_process_is_busy(child) && jrpc_clock_now_us(jrpc_clock_monotonic()) < deadline_us) {
    }
    assert_false(jck_process_is_busy(child));
    return child;
}

#endif
