// How long a process of ours is waited for on a busy machine.
#include "tests/unit/link/child_group.h"

enum { GRANTED_US = 100000000 }; // no process of a test works that long

static int64_t now_us;

static int64_t now(void *context)
{
    return *(int64_t *)context;
}

static unsigned slowdown = 1;

static unsigned slowdown_of_test(void *context)
{
    (void)context;
    return slowdown;
}

static const jrpc_clock clock_of_test = {now, &now_us, slowdown_of_test};

static void a_process_that_works_but_has_had_little_time_is_waited_for(void **state)
{
    (void)state;
    unsigned in_vain = 0;
    jck_allowance allowance;
    pid_t child = start_child(true);
    now_us = 5;
    jck_allowance_begin(&allowance, &clock_of_test, child, false, &in_vain);
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
    jck_allowance_begin(&allowance, &clock_of_test, child, false, &in_vain);
    now_us += GRANTED_US;
    assert_false(jck_allowance_lasts(&allowance, &clock_of_test));
    jck_allowance_rewarded(&allowance);
    assert_int_equal(in_vain, JCK_ALLOWANCE_IN_VAIN_MAX); // it was not waited for
    in_vain = 1;
    jck_allowance_begin(&allowance, &clock_of_test, child, false, &in_vain);
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
        jck_allowance_begin(&allowance, &clock_of_test, processes[i], false, &in_vain);
        now_us += GRANTED_US;
        // It may still be on its way to its wait.
        while (jck_allowance_lasts(&allowance, &clock_of_test)) {
            now_us += 1;
        }
        assert_false(jck_allowance_lasts(&allowance, &clock_of_test));
    }
    end_child(child);
}

// Nobody knows what it does: it gets the time that the same work takes on the busy machine.
static void an_unknown_target_is_waited_for_as_long_as_the_machine_is_busy(void **state)
{
    (void)state;
    static const struct {
        unsigned slowdown;
        bool elastic;
        int waits; // of the same length, until it is given up
    } table[] = {{1, true, 1}, {4, true, 1}, {5, true, 4}, {1000, true, 4}, {5, false, 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        unsigned in_vain = 0;
        jck_allowance allowance;
        slowdown = table[i].slowdown;
        jck_allowance_begin(&allowance, &clock_of_test, 0, table[i].elastic, &in_vain);
        for (int wait = 1; wait <= table[i].waits; wait++) {
            now_us += GRANTED_US;
            assert_int_equal(jck_allowance_lasts(&allowance, &clock_of_test),
                             wait < table[i].waits);
        }
        assert_int_equal(in_vain, table[i].waits > 1);
    }
    unsigned in_vain = JCK_ALLOWANCE_IN_VAIN_MAX;
    jck_allowance allowance;
    slowdown = 9;
    jck_allowance_begin(&allowance, &clock_of_test, 0, true, &in_vain);
    now_us += GRANTED_US;
    assert_false(jck_allowance_lasts(&allowance, &clock_of_test));
    slowdown = 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_works_but_has_had_little_time_is_waited_for),
        cmocka_unit_test(waits_in_vain_are_counted_until_one_is_rewarded),
        cmocka_unit_test(a_process_that_waits_or_is_not_known_is_not_waited_for),
        cmocka_unit_test(an_unknown_target_is_waited_for_as_long_as_the_machine_is_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
