// Workers in reserve: how many pay off, and when they are called in.
#include "harness/run/reserve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
    FAST_US = 200,
    WORKS_US = 2000,
    SLOW_US = 30000,
    FAR_AWAY_US = 100000,
    CASES = 1000,
    ENDLESS_US = 60000000
};

typedef struct fixture {
    jck_target target;
    jck_run_options options;
    jck_ledger ledger;
    jck_host host;
    jck_link link;
    jck_plan plan;
} fixture;

static void begin(fixture *f, jrpc_transport transport)
{
    *f = (fixture){.target = {.transport = transport}, .plan = {.ground_count = 9}};
    f->plan.case_count = CASES;
    f->options = (jck_run_options){.discover = true, .target = &f->target};
    f->ledger.options = &f->options;
    f->ledger.jobs = 1;
    f->host.target = &f->target;
    f->link.host = &f->host;
    assert_int_equal(pthread_mutex_init(&f->ledger.lock, NULL), 0);
    assert_int_equal(pthread_mutex_init(&f->host.lock, NULL), 0);
    assert_int_equal(pthread_cond_init(&f->ledger.reserve.changed, NULL), 0);
}

static void end(fixture *f)
{
    assert_int_equal(pthread_cond_destroy(&f->ledger.reserve.changed), 0);
    assert_int_equal(pthread_mutex_destroy(&f->host.lock), 0);
    assert_int_equal(pthread_mutex_destroy(&f->ledger.lock), 0);
}

// After ten ground cases of that length.
static jck_others choose(fixture *f, int64_t each_us, int64_t longest_us)
{
    return jck_reserve_choose(&f->ledger, &f->link, false, &f->plan, 10 * each_us, longest_us);
}

static void
workers_begin_at_once_where_ground_cases_wait_and_later_where_they_are_fast(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_STDIO);
    jck_others slow = choose(&f, SLOW_US, SLOW_US);
    assert_true(slow.count >= 3 && slow.apart && slow.reserved == 0);
    jck_others fast = choose(&f, FAST_US, FAST_US);
    assert_true(fast.count > 0 && fast.apart);
    assert_int_equal(fast.reserved, fast.count);
    jck_others works = choose(&f, WORKS_US, WORKS_US); // it needs seconds for all cases
    assert_int_equal(works.reserved + 1, works.count);
    f.plan.waiting_count = CASES / 10; // one begins with those
    jck_others waits = choose(&f, FAST_US, FAST_US);
    assert_int_equal(waits.reserved + 1, waits.count);
    f.link.learned.starts_us = WORKS_US * CASES / 4;
    assert_int_equal(choose(&f, FAST_US, FAST_US).reserved, fast.count);
    f.link.learned.starts_us = ENDLESS_US; // no number of cases is worth another start
    assert_int_equal(choose(&f, SLOW_US, SLOW_US).count, 0);
    assert_int_equal(choose(&f, FAST_US, FAST_US).count, 0);
    f.link.learned.starts_us = 0;
    f.options.plan.shuffle = true;
    assert_int_equal(choose(&f, SLOW_US, SLOW_US).count, 0);
    f.options.jobs = 5;
    assert_int_equal(choose(&f, FAST_US, FAST_US).count, 4);
    end(&f);
}

static void a_server_that_is_running_gets_more_connections_but_no_reserve(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_TCP);
    assert_int_equal(choose(&f, FAST_US, FAST_US).count, 0);
    jck_others slow = choose(&f, SLOW_US, 0);
    assert_true(slow.count > 0 && !slow.apart && slow.reserved == 0);
    assert_int_equal(choose(&f, SLOW_US, INT64_C(9) * SLOW_US).count,
                     0); // one case waited, the others did not
    f.ledger.mixes_connections = true;
    assert_int_equal(choose(&f, SLOW_US, 0).count, 0);
    end(&f);
}

static void a_far_server_gets_more_connections_until_its_answers_become_slower(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_TCP);
    f.ledger.pace = (jck_pace){.answers = 1, .total_us = FAR_AWAY_US};
    jck_others far = choose(&f, FAR_AWAY_US, 0);
    unsigned at_once = far.count - far.reserved;
    assert_true(at_once > 0 && far.reserved > 0);
    f.ledger.reserve.size = far.reserved;
    jck_ledger_begin_crowd(&f.ledger, 1 + at_once);
    unsigned called = 0;
    for (int group = 0; group < 2; group++) {
        f.ledger.pace.answers += CASES;
        f.ledger.pace.total_us += (int64_t)FAR_AWAY_US * CASES;
        jck_reserve_note(&f.ledger, &f.link, &f.plan, FAR_AWAY_US, 0);
        jck_reserve_note(&f.ledger, &f.link, &f.plan, FAR_AWAY_US, 0); // no answer since
        assert_true(f.ledger.reserve.called > called);
        called = f.ledger.reserve.called;
    }
    f.ledger.pace.answers += CASES;
    f.ledger.pace.total_us += (int64_t)FAR_AWAY_US * CASES * 2;
    jck_reserve_note(&f.ledger, &f.link, &f.plan, FAR_AWAY_US, 0);
    assert_int_equal(f.ledger.reserve.called, called);
    assert_int_equal(f.ledger.crowd, 1 + at_once + called);
    end(&f);
}

static void the_reserve_is_called_once_cases_take_long_and_not_for_a_single_one(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_STDIO);
    f.ledger.apart = true;
    f.ledger.reserve.size = 3;
    for (int i = 0; i < 100; i++) {
        jck_reserve_note(&f.ledger, &f.link, &f.plan, i == 50 ? ENDLESS_US : FAST_US, 0);
    }
    assert_int_equal(f.ledger.reserve.called, 0);
    for (int i = 0; i < JCK_RESERVE_CASES / 2; i++) {
        jck_reserve_note(&f.ledger, &f.link, &f.plan, SLOW_US, SLOW_US); // starts of processes
    }
    assert_int_equal(f.ledger.reserve.called, 1); // starting computes: two at once are enough
    for (int i = 0; i < JCK_RESERVE_CASES; i++) {
        jck_reserve_note(&f.ledger, &f.link, &f.plan, SLOW_US, 0);
    }
    unsigned called = f.ledger.reserve.tickets;
    assert_int_equal(called, 3);
    assert_int_equal(f.ledger.jobs, 1 + called);
    for (unsigned i = 0; i < called; i++) {
        assert_true(jck_reserve_wait(&f.ledger));
    }
    assert_false(jck_reserve_wait(&f.ledger)); // no more are needed
    end(&f);
}

static void one_is_called_after_the_other_while_the_rest_would_take_long(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_STDIO);
    f.ledger.apart = true;
    f.ledger.reserve.size = 3;
    f.plan.case_count = CASES;
    for (unsigned called = 1; called <= 2; called++) {
        for (int i = 0; i < JCK_RESERVE_CASES; i++) {
            jck_reserve_note(&f.ledger, &f.link, &f.plan, WORKS_US, 0);
        }
        assert_int_equal(f.ledger.reserve.called, called);
    }
    for (int i = 0; i < CASES / 10; i++) {
        jck_reserve_note(&f.ledger, &f.link, &f.plan, WORKS_US, 0);
    }
    assert_int_equal(f.ledger.reserve.called, 3); // a quarter of two seconds is left to each
    end(&f);
}

static void none_is_called_if_it_would_have_little_to_do(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_STDIO);
    f.ledger.apart = true;
    f.ledger.reserve.size = 3;
    f.link.learned.starts_us = 2 * (int64_t)WORKS_US * CASES;
    for (int i = 0; i < CASES; i++) {
        jck_reserve_note(&f.ledger, &f.link, &f.plan, i % 2 == 0 ? FAST_US : WORKS_US, 0);
    }
    assert_int_equal(f.ledger.reserve.called, 0);
    end(&f);
}

static void nobody_is_called_for_the_last_few_cases_or_after_the_end(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_STDIO);
    f.ledger.apart = true;
    f.ledger.reserve.size = 3;
    f.ledger.given = CASES;
    for (int i = 0; i < JCK_RESERVE_CASES; i++) {
        jck_reserve_note(&f.ledger, &f.link, &f.plan, SLOW_US, 0);
    }
    assert_int_equal(f.ledger.reserve.called, 0);
    jck_reserve_end(&f.ledger);
    assert_false(jck_reserve_wait(&f.ledger));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            workers_begin_at_once_where_ground_cases_wait_and_later_where_they_are_fast),
        cmocka_unit_test(a_server_that_is_running_gets_more_connections_but_no_reserve),
        cmocka_unit_test(a_far_server_gets_more_connections_until_its_answers_become_slower),
        cmocka_unit_test(the_reserve_is_called_once_cases_take_long_and_not_for_a_single_one),
        cmocka_unit_test(one_is_called_after_the_other_while_the_rest_would_take_long),
        cmocka_unit_test(none_is_called_if_it_would_have_little_to_do),
        cmocka_unit_test(nobody_is_called_for_the_last_few_cases_or_after_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
