// Workers that begin late, each with a process of its own.
#include "tests/unit/run/scripted_run.h"

// The first process takes so long for each answer that further workers are called in. Each later
// process answers the first message, when it is opened, and then nothing: as many of them as some
// worker sees several of in a row, but none so many that the target counts as useless.
enum { SLOW_MS = 30, CALLED_AFTER = 60, DEAF_PROCESSES = 19, HELD_S = 20 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t another = PTHREAD_COND_INITIALIZER;
static unsigned deaf; // processes that have not answered; guarded by `turn`

// The first worker waits here until the late ones have met all deaf processes, so that it does not
// run all cases itself.
static void leave_cases_to_the_late_workers(script *of)
{
    struct timespec until;
    script_leave(of);
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &until), 0);
    until.tv_sec += HELD_S;
    assert_int_equal(pthread_mutex_lock(&turn), 0);
    for (int end = 0; deaf < DEAF_PROCESSES && end == 0;) {
        end = pthread_cond_timedwait(&another, &turn, &until);
    }
    assert_int_equal(pthread_mutex_unlock(&turn), 0);
    script_enter(of);
}

// Whether the connection leads to one of the deaf processes.
static bool is_deaf(scripted *c)
{
    assert_int_equal(pthread_mutex_lock(&turn), 0);
    if (c->state == 1 && deaf < DEAF_PROCESSES) {
        deaf++;
        c->state = 2;
        assert_int_equal(pthread_cond_broadcast(&another), 0);
    } else if (c->state == 1) {
        c->state = 3;
    }
    assert_int_equal(pthread_mutex_unlock(&turn), 0);
    return c->state == 2;
}

static void be_deaf_in_later_processes(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->number == 1) {
        run_answer(c, SLOW_MS, text);
        c->state++;
        if (c->state == CALLED_AFTER) {
            leave_cases_to_the_late_workers(c->of);
        }
    } else if (c->state == 0) { // it is opened
        run_answer(c, 1, text);
        c->state = 1;
    } else if (!is_deaf(c)) {
        run_answer(c, 1, text);
    }
}

static void a_late_worker_whose_first_cases_get_no_answer_does_not_end_the_run(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_STDIO);
    run.options.jobs = 0;
    run.options.discover = true;
    GO_ON(&run, be_deaf_in_later_processes, "call/", "batch/", "id/", "params/", "invalid/");
    assert_int_equal(deaf, DEAF_PROCESSES);
    if (run.result.end != JCK_RUN_FINISHED) {
        run_print(&run);
    }
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    assert_true(run.result.counts[JCK_OUTCOME_HANG] > 0); // they were met in cases
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_worker_whose_first_cases_get_no_answer_does_not_end_the_run),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
