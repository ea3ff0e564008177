// A case that is run alone: what a slow target still sends for the cases before it is not held
// against this one, and a new process is not begun in vain for ever.
#include "harness/run/worker.h"
#include "tests/unit/run/scripted_run.h"

typedef struct fixture {
    scripted_run run;
    jck_ledger ledger;
    jck_plan plan;
    jck_worker worker;
    const jck_case *test_case;
} fixture;

static void begin(fixture *f, run_behaviour *behaviour)
{
    run_begin(&f->run, JRPC_TRANSPORT_STDIO);
    f->run.side.on_message = behaviour;
    f->plan = (jck_plan){0};
    assert_true(jck_ledger_init(&f->ledger, &f->run.options, &f->run.arena));
    jck_worker_init(&f->worker, &f->ledger, &f->plan);
    f->test_case = NULL;
    for (size_t i = 0; i < jck_suite_case_count(run_suite); i++) {
        const jck_case *at = jck_suite_case(run_suite, i);
        f->test_case = jrpc_slice_is(at->id, "call/unknown-method") ? at : f->test_case;
    }
    assert_non_null(f->test_case);
}

static void end(fixture *f)
{
    jck_worker_done(&f->worker);
    jck_ledger_done(&f->ledger);
    run_end(&f->run);
}

// Runs the case in company or alone; returns whether it has a finding.
static bool has_finding(fixture *f, bool alone)
{
    jck_attempt *attempt = NULL;
    jck_tried tried = alone ? jck_worker_try_alone(&f->worker, f->test_case, &attempt)
                            : jck_worker_try(&f->worker, f->test_case, JCK_WATCH_FENCES, &attempt);
    assert_int_equal(tried, JCK_TRIED);
    bool found = jck_attempt_has_finding(attempt);
    jck_attempt_free(attempt);
    return found;
}

enum { STARTS_MS = 1500 };

// Takes long to start. A refusal of something sent earlier comes behind each answer, from the
// first process or from all.
static void answer(scripted *c, const char *text, bool always)
{
    run_answer(c, c->state++ == 0 ? STARTS_MS : 1, text);
    if (c->state > 1 && (always || c->number == 1)) {
        script_error(c, 1, -32600, "null");
    }
}

static void refuse_at_first(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    answer(c, text, false);
}

static void refuse_always(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    answer(c, text, true);
}

static void a_refusal_that_outlasts_the_listening_is_nobodys_second_answer(void **state)
{
    (void)state;
    static fixture f;
    begin(&f, refuse_at_first);
    assert_true(has_finding(&f, false));
    assert_false(has_finding(&f, true));
    assert_int_equal(f.run.side.opened, 2);
    end(&f);
}

static void what_each_new_process_does_as_well_needs_no_more_of_them(void **state)
{
    (void)state;
    static fixture f;
    begin(&f, refuse_always);
    assert_true(has_finding(&f, false));
    unsigned opened = 0;
    for (int i = 0; i < 6; i++) {
        opened = i == 3 ? f.run.side.opened : opened;
        assert_true(has_finding(&f, true));
    }
    assert_int_equal(opened, 4);
    assert_int_equal(f.run.side.opened, opened);
    end(&f);
}

static void start_slowly(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    run_answer(c, c->state++ == 0 ? STARTS_MS : 1, text);
}

// How long an attempt aside takes.
static int64_t aside_us(fixture *f)
{
    int64_t began_us = f->run.side.now_us;
    jck_attempt *attempt = NULL;
    assert_int_equal(jck_worker_try_aside(&f->worker, f->test_case, &attempt), JCK_TRIED);
    assert_false(jck_attempt_has_finding(attempt));
    jck_attempt_free(attempt);
    return f->run.side.now_us - began_us;
}

static void the_time_just_listened_need_not_be_listened_again(void **state)
{
    (void)state;
    static fixture f;
    begin(&f, start_slowly);
    assert_false(has_finding(&f, false));
    int64_t window_us = jck_worker_window_ms(&f.worker) * 1000;
    int64_t plain_us = aside_us(&f);
    assert_true(plain_us >= window_us);
    jck_attempt *attempt = NULL;
    assert_int_equal(jck_worker_try(&f.worker, f.test_case, JCK_WATCH_FENCES, &attempt), JCK_TRIED);
    jck_worker_linger(&f.worker, f.test_case, attempt, window_us / 1000);
    jck_attempt_free(attempt);
    assert_true(aside_us(&f) <= plain_us - window_us + 2000);
    assert_true(aside_us(&f) >= window_us);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_that_outlasts_the_listening_is_nobodys_second_answer),
        cmocka_unit_test(what_each_new_process_does_as_well_needs_no_more_of_them),
        cmocka_unit_test(the_time_just_listened_need_not_be_listened_again),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
