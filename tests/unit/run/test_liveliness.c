// When a target has been of no use for so long that a run ends.
#include "harness/run/liveliness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// So many cases in a row left the target out of order before the run was in question.
static unsigned borne(jck_liveliness *lively)
{
    unsigned cases = 0;
    while (jck_liveliness_note(lively, false)) {
        cases++;
        assert_in_range(cases, 1, 100);
    }
    return cases + 1;
}

static void few_cases_do_where_none_ever_came_to_its_end(void **state)
{
    (void)state;
    jck_liveliness lively = {0};
    assert_int_equal(borne(&lively), 3);
    assert_int_equal(lively.consecutive_mute, 3);
    assert_false(lively.ever_completed);
}

static void a_target_that_once_answered_has_more_time(void **state)
{
    (void)state;
    jck_liveliness lively = {0};
    assert_true(jck_liveliness_note(&lively, false));
    assert_true(jck_liveliness_note(&lively, true));
    assert_int_equal(lively.consecutive_mute, 0);
    assert_int_equal(borne(&lively), 20);
    assert_true(jck_liveliness_note(&lively, true)); // and from the beginning again
    assert_int_equal(borne(&lively), 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_cases_do_where_none_ever_came_to_its_end),
        cmocka_unit_test(a_target_that_once_answered_has_more_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
