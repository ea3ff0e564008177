// How long a process of ours is waited for on a busy machine.
#include "tests/unit/link/child_group.h"

enum { GRANTED_US = 100000000 }; // no process of a test works that long

static int64_t now_us;

static int64_t now(void *context)
{
    return *(int64_t *)context;
}

static const jrpc_clock clock_of_test = {now, &now_us};

static void a_process_that_works_but_has_had_little_time_is_waited_for(void **state)
{
    (void)state;
    unsigned in_vain = 0;
    jck_allowance allowance;
    pid_t child = start_child(true);
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
    end_child(child);
}

static void waits_in_vain_are_counted_until_one_is_rewarded(void **state)
{
    (void)state;
    unsigned in_vain = JCK_ALLOWANCE_IN_VAIN_MAX;
    jck_allowance allowance;
    pid_t child = start_child(true);
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
    end_child(child);
}

static void a_process_that_waits_or_is_not_known_is_not_waited_for(void **state)
{
    (void)state;
    unsigned in_vain = 0;
    jck_allowance allowance;
    pid_t child = start_child(false);
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
    end_child(child);
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
