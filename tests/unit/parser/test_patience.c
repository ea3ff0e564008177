// How long a process is waited for, by what it is seen to do.
#include "harness/parser/patience.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define FULL_US 1000

static const jrpc_os_work asleep = {.cpu_us = 70, .ready = false};

// Looks whenever it is time to, at a process that works `share` of a thousandth of the time; when
// it is given up.
static int64_t given_up_at(int64_t share, bool ready)
{
    jck_patience patience;
    jck_patience_begin(&patience, 5000, FULL_US);
    for (int looks = 0; looks < 1000; looks++) {
        int64_t now_us = patience.next_us;
        jrpc_os_work work = {.cpu_us = 300 + (now_us - 5000) * share / 1000, .ready = ready};
        if (jck_patience_weigh(&patience, &work, now_us)) {
            return now_us - 5000;
        }
        assert_true(patience.next_us > now_us);
    }
    fail_msg("it is waited for without end");
    return 0;
}

static void a_process_that_works_all_the_time_has_its_time(void **state)
{
    (void)state;
    assert_int_equal(given_up_at(1000, true), FULL_US);
    assert_int_equal(given_up_at(500, true), FULL_US);
}

static void a_process_that_does_nothing_has_its_time(void **state)
{
    (void)state;
    assert_int_equal(given_up_at(0, false), FULL_US);
    assert_int_equal(given_up_at(100, false), FULL_US); // now and then
}

static void a_process_that_is_kept_from_working_has_more(void **state)
{
    (void)state;
    assert_true(given_up_at(100, true) >= INT64_C(5) * FULL_US / 2);
    assert_true(given_up_at(50, true) >= INT64_C(5) * FULL_US);
    // … but not without end.
    assert_int_equal(given_up_at(0, true), INT64_C(20) * FULL_US);
}

static void only_the_time_counts_where_nothing_is_known(void **state)
{
    (void)state;
    jck_patience patience;
    jck_patience_begin(&patience, 0, FULL_US);
    assert_false(jck_patience_weigh(&patience, NULL, patience.next_us));
    assert_true(jck_patience_weigh(&patience, NULL, patience.next_us));
}

static void an_early_look_decides_nothing(void **state)
{
    (void)state;
    jck_patience patience;
    jck_patience_begin(&patience, 0, FULL_US);
    for (int64_t now_us = 0; now_us < FULL_US; now_us += 100) {
        assert_false(jck_patience_weigh(&patience, &asleep, now_us));
    }
    assert_true(jck_patience_weigh(&patience, &asleep, FULL_US));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_works_all_the_time_has_its_time),
        cmocka_unit_test(a_process_that_does_nothing_has_its_time),
        cmocka_unit_test(a_process_that_is_kept_from_working_has_more),
        cmocka_unit_test(only_the_time_counts_where_nothing_is_known),
        cmocka_unit_test(an_early_look_decides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
