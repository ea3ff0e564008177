// How long a process of ours is waited for on a busy machine.
#include "harness/link/host.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRANTED_US = 100000000 }; // no process of a test works that long

static int64_t now_us;

static int64_t now(void *context)
{
    return *(int64_t *)context;
}

static const jrpc_clock clock_of_test = {now, &now_us};

// A process in a group of its own that works all the time, or only waits. It is known to have
// begun.
static pid_t start(bool works)
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

static void stop(pid_t child)
{
    (void)kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_process_that_works_but_has_had_little_time_is_waited_for(void **state)
{
    (void)state;
    unsigned in_vain = 0;
    jck_allowance allowance;
    pid_t child = start(true);
    now_us = 5;
    jck_allowance_begin(&allowance, &clock_of_test, child, &in_vain);
    now_us += GRANTED_US;
    assert_true(jck_allowance_lasts(&allowance, &clock_of_test));
    now_us += GRANTED_US;
    assert_true(jck_allowance_lasts(&allowance, &clock_of_test));
    // Not for ever.
    now_us += (int64_t)GRANTED_US * 100;
    assert_false(jck_allowance_lasts(&allowance, &clock_of_test));
    assert_int_equal(in_vain, 1);
    assert_false(jck_allowance_lasts(&allowance, &clock_of_test));
    assert_int_equal(in_vain, 1);
    stop(child);
}

static void waits_in_vain_are_counted_until_one_is_rewarded(void **state)
{
    (void)state;
    unsigned in_vain = JCK_ALLOWANCE_IN_VAIN_MAX;
    jck_allowance allowance;
    pid_t child = start(true);
    jck_allowance_begin(&allowance, &clock_of_test, child, &in_vain);
    now_us += GRANTED_US;
    assert_false(jck_allowance_lasts(&allowance, &clock_of_test));
    jck_allowance_rewarded(&allowance);
    assert_int_equal(in_vain, JCK_ALLOWANCE_IN_VAIN_MAX); // it was not waited for
    in_vain = 1;
    jck_allowance_begin(&allowance, &clock_of_test, child, &in_vain);
    now_us += GRANTED_US;
    assert_true(jck_allowance_lasts(&allowance, &clock_of_test));
    jck_allowance_rewarded(&allowance);
    assert_int_equal(in_vain, 0);
    stop(child);
}

static void a_process_that_waits_or_is_not_known_is_not_waited_for(void **state)
{
    (void)state;
    unsigned in_vain = 0;
    jck_allowance allowance;
    pid_t child = start(false);
    const int64_t processes[] = {0, child};
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        jck_allowance_begin(&allowance, &clock_of_test, processes[i], &in_vain);
        now_us += GRANTED_US;
        // It may still be on its way to its wait.
        while (jck_allowance_lasts(&allowance, &clock_of_test)) {
            now_us += 1;
        }
        assert_false(jck_allowance_lasts(&allowance, &clock_of_test));
    }
    stop(child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_works_but_has_had_little_time_is_waited_for),
        cmocka_unit_test(waits_in_vain_are_counted_until_one_is_rewarded),
        cmocka_unit_test(a_process_that_waits_or_is_not_known_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
