// What is known is not looked into again, and is not reported again.
#include "harness/live/behaviour.h"
#include "harness/live/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static int make(void **state)
{
    jck_kind_set *kinds = calloc(1, sizeof *kinds);
    *state = kinds;
    return kinds != NULL && jck_kinds_init(kinds) ? 0 : 1;
}

static int drop(void **state)
{
    jck_kinds_done(*state);
    free(*state);
    return 0;
}

static void test_a_suspicion_is_open_until_it_is_found_or_refuted_three_times(void **state)
{
    jck_kind_set *kinds = *state;
    assert_true(jck_kinds_is_open(kinds, 40));
    jck_kinds_settle(kinds, 40, true);
    assert_false(jck_kinds_is_open(kinds, 40));
    assert_true(jck_kinds_is_found(kinds, 40));
    for (int i = 0; i < 3; i++) {
        assert_true(jck_kinds_is_open(kinds, 80));
        jck_kinds_settle(kinds, 80, false);
    }
    assert_false(jck_kinds_is_open(kinds, 80));
    assert_false(jck_kinds_is_found(kinds, 80));
}

static void test_a_finding_is_first_once(void **state)
{
    assert_true(jck_kinds_is_first(*state, 7));
    assert_false(jck_kinds_is_first(*state, 7));
    assert_true(jck_kinds_is_first(*state, 8));
}

static void test_a_finding_that_is_forgotten_can_be_first_again(void **state)
{
    assert_true(jck_kinds_is_first(*state, 5));
    assert_true(jck_kinds_is_first(*state, 6));
    jck_kinds_forget(*state, 5);
    assert_true(jck_kinds_is_reported(*state, 6));
    assert_true(jck_kinds_is_first(*state, 5));
    assert_false(jck_kinds_is_first(*state, 5));
}

static void test_a_full_table_opens_and_finds_nothing_more(void **state)
{
    jck_kind_set *kinds = *state;
    for (uint64_t i = 1; i < (uint64_t)2 * JCK_KINDS_ROOM; i++) {
        (void)jck_kinds_is_open(kinds, i * 1000);
        (void)jck_kinds_is_first(kinds, i);
        (void)jck_kinds_is_new(kinds, i * 1000 + 1);
    }
    assert_false(jck_kinds_is_open(kinds, UINT64_C(1) << 60));
    assert_false(jck_kinds_is_first(kinds, UINT64_C(1) << 60));
    assert_int_equal(jck_kinds_seen(kinds), 2 * JCK_KINDS_ROOM - 1);
}

static void test_classes_that_break_a_connection_are_remembered(void **state)
{
    assert_false(jck_kinds_is_avoided(*state, 3));
    jck_kinds_avoid(*state, 3);
    assert_true(jck_kinds_is_avoided(*state, 3));
    assert_false(jck_kinds_is_avoided(*state, 4));
}

static void test_numbers_and_quoted_parts_of_a_text_do_not_count(void **state)
{
    (void)state;
    uint64_t one = jck_behaviour_of_text(JRPC_SLICE("no method 'a' at 17"));
    assert_true(one == jck_behaviour_of_text(JRPC_SLICE("no method 'bcd' at 4")));
    assert_true(one != jck_behaviour_of_text(JRPC_SLICE("no member 'a' at 17")));
    assert_true(jck_behaviour_of(JRPC_JSON_ABSENT) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_a_suspicion_is_open_until_it_is_found_or_refuted_three_times, make, drop),
        cmocka_unit_test_setup_teardown(test_a_finding_is_first_once, make, drop),
        cmocka_unit_test_setup_teardown(test_a_finding_that_is_forgotten_can_be_first_again, make,
                                        drop),
        cmocka_unit_test_setup_teardown(test_a_full_table_opens_and_finds_nothing_more, make, drop),
        cmocka_unit_test_setup_teardown(test_classes_that_break_a_connection_are_remembered, make,
                                        drop),
        cmocka_unit_test(test_numbers_and_quoted_parts_of_a_text_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
