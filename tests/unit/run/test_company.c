// What a process has been through, and which part of it brings a failure about.
#include "harness/run/company.h"
#include "harness/run/discover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { MANY = 600 };
static jck_case cases[MANY];

static void a_history_keeps_what_one_home_was_sent(void **state)
{
    (void)state;
    static jck_history history;
    jck_history_note(&history, 1, &cases[0]);
    jck_history_note(&history, 1, &cases[1]);
    assert_int_equal(history.count, 2);
    assert_ptr_equal(history.cases[1], &cases[1]);
    jck_history_note(&history, 2, &cases[2]);
    assert_int_equal(history.count, 1);
    assert_ptr_equal(history.cases[0], &cases[2]);
    for (size_t i = 0; i < MANY; i++) {
        jck_history_note(&history, 2, &cases[i]);
    }
    assert_int_equal(history.count, JCK_HISTORY_MAX);
    assert_ptr_equal(history.cases[JCK_HISTORY_MAX - 1], &cases[MANY - 1]);
    assert_ptr_equal(history.cases[0], &cases[MANY - JCK_HISTORY_MAX]);
}

// A failure that takes all of `wanted`, in order, or so many cases whatever they are.
typedef struct world {
    const jck_case *wanted[3];
    size_t wanted_count;
    size_t at_least;
    size_t experiments;
    size_t patience; // after so many experiments there is no time left; 0: no end
} world;

static jck_trial_end try_it(void *context, const jck_case *const *sent, size_t count)
{
    world *w = context;
    w->experiments++;
    if (w->patience > 0 && w->experiments > w->patience) {
        return JCK_TRIAL_STOP;
    }
    size_t met = 0;
    for (size_t i = 0; i < count; i++) {
        met += met < w->wanted_count && sent[i] == w->wanted[met];
    }
    return met == w->wanted_count && count >= w->at_least ? JCK_TRIAL_FAILS : JCK_TRIAL_PASSES;
}

static size_t fill(const jck_case *list[MANY], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        list[i] = &cases[i];
    }
    return count;
}

static void what_fails_by_itself_needs_no_company(void **state)
{
    (void)state;
    const jck_case *list[MANY];
    world w = {.wanted_count = 0};
    size_t left = 99;
    assert_true(jck_company_shrink(list, fill(list, 40), try_it, &w, &left));
    assert_int_equal(left, 0);
    assert_int_equal(w.experiments, 1);
}

static void the_fewest_cases_that_bring_it_about_are_left_in_order(void **state)
{
    (void)state;
    const jck_case *list[MANY];
    for (size_t first = 0; first < 39; first++) {
        world w = {.wanted = {&cases[first], &cases[39]}, .wanted_count = 2};
        size_t left = 0;
        assert_true(jck_company_shrink(list, fill(list, 41), try_it, &w, &left));
        assert_int_equal(left, 2);
        assert_ptr_equal(list[0], &cases[first]);
        assert_ptr_equal(list[1], &cases[39]);
        assert_true(w.experiments < 60);
    }
}

static void a_number_of_cases_is_kept_as_a_number(void **state)
{
    (void)state;
    const jck_case *list[MANY];
    world w = {.at_least = 20};
    size_t left = 0;
    assert_true(jck_company_shrink(list, fill(list, 300), try_it, &w, &left));
    assert_int_equal(left, 20);
}

static void what_does_not_come_again_is_not_found(void **state)
{
    (void)state;
    const jck_case *list[MANY];
    world w = {.wanted = {&cases[MANY - 1]}, .wanted_count = 1};
    size_t left = 7;
    assert_false(jck_company_shrink(list, fill(list, 100), try_it, &w, &left));
    assert_false(jck_company_reduce(list, fill(list, 100), try_it, &w, &left));
    assert_int_equal(left, 7);
    assert_false(jck_company_shrink(list, 0, try_it, &w, &left));
}

static void a_search_that_runs_out_of_time_ends_with_the_best_so_far(void **state)
{
    (void)state;
    const jck_case *list[MANY];
    for (size_t patience = 1; patience < 60; patience++) {
        world w = {.wanted = {&cases[3], &cases[70]}, .wanted_count = 2, .patience = patience};
        size_t left = 0;
        bool found = jck_company_reduce(list, fill(list, 100), try_it, &w, &left);
        assert_true(found);
        assert_true(left >= 2);
        world check = {.wanted = {&cases[3], &cases[70]}, .wanted_count = 2};
        assert_int_equal(try_it(&check, list, left), JCK_TRIAL_FAILS);
    }
    world w = {.wanted = {&cases[3]}, .wanted_count = 1, .patience = 2};
    size_t left = 0;
    assert_false(jck_company_shrink(list, fill(list, 100), try_it, &w, &left));
}

// By position, by name; printed; mapped, by position, by name; sighted.
static const struct {
    jck_reply by_position, by_name;
    bool printed;
    jck_discovery made;
} decisions[] = {
    {JCK_REPLY_RIGHT, JCK_REPLY_RIGHT, true, {true, true, true, false}},
    {JCK_REPLY_RIGHT, JCK_REPLY_ERROR, true, {true, true, false, false}},
    {JCK_REPLY_RIGHT, JCK_REPLY_NONE, true, {true, true, false, false}},
    {JCK_REPLY_RIGHT, JCK_REPLY_OTHER, true, {true, true, true, false}},
    {JCK_REPLY_RIGHT, JCK_REPLY_OTHER, false, {true, true, false, false}},
    {JCK_REPLY_OTHER, JCK_REPLY_RIGHT, true, {true, true, true, false}},
    {JCK_REPLY_ERROR, JCK_REPLY_RIGHT, true, {true, false, true, false}},
    {JCK_REPLY_OTHER, JCK_REPLY_OTHER, true, {false, false, false, true}},
    {JCK_REPLY_OTHER, JCK_REPLY_ERROR, true, {false, false, false, true}},
    {JCK_REPLY_ERROR, JCK_REPLY_ERROR, true, {false, false, false, false}},
    {JCK_REPLY_NONE, JCK_REPLY_NONE, true, {false, false, false, false}},
    {JCK_REPLY_RIGHT, JCK_REPLY_UNASKED, true, {true, true, false, false}},
};

static void a_method_is_taken_by_what_it_gave(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++) {
        jck_discovery made = jck_discover_decide(decisions[i].by_position, decisions[i].by_name,
                                                 decisions[i].printed);
        const jck_discovery *wanted = &decisions[i].made;
        assert_int_equal(made.found, wanted->found);
        assert_int_equal(made.by_position, wanted->by_position);
        assert_int_equal(made.by_name, wanted->by_name);
        assert_int_equal(made.sighted, wanted->sighted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_keeps_what_one_home_was_sent),
        cmocka_unit_test(what_fails_by_itself_needs_no_company),
        cmocka_unit_test(the_fewest_cases_that_bring_it_about_are_left_in_order),
        cmocka_unit_test(a_number_of_cases_is_kept_as_a_number),
        cmocka_unit_test(what_does_not_come_again_is_not_found),
        cmocka_unit_test(a_search_that_runs_out_of_time_ends_with_the_best_so_far),
        cmocka_unit_test(a_method_is_taken_by_what_it_gave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
