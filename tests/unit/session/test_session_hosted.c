// One case into evidence, against a process that was started for the target: its end belongs to the
// case, however late it is noticed.
#include "tests/unit/session/session_test.h"

#include <sched.h>
#include <signal.h>

static char program[] = "/bin/sh", option[] = "-c", command[] = "exec sleep 60";

// Ends the process at the first message of the case, and its connection with it.
static void die(scripted *c, const char *text, bool is_fence)
{
    fixture *f = c->of->context;
    jck_host_end end;
    if (is_fence) {
        script_answer(c, 1, text);
        return;
    }
    uint32_t generation = f->s.link.generation;
    assert_int_equal(kill((pid_t)jck_host_process(&f->s.host, generation), SIGKILL), 0);
    while (!jck_host_is_gone(&f->s.host, generation, 0, &end)) {
        (void)sched_yield();
    }
    script_end(c, 1, JRPC_END_RESET, 0);
}

static void a_later_step_does_not_hide_that_the_process_ended(void **state)
{
    (void)state;
    static char *const argv[] = {program, option, command, NULL};
    fixture f;
    begin(&f);
    // A real process ends in real time. (And the script's clock is locked while its side acts.)
    jck_host_done(&f.s.host);
    assert_true(jck_host_init(&f.s.host, &f.s.target, jrpc_clock_monotonic(), 100, -1));
    f.s.target.start = argv;
    f.s.side.on_message = die;
    f.s.side.context = &f;
    add_send(&f, NOTIFICATION "\n" CALL_OF_ID "\n", JCK_EXPECT_UNSTATED)->payload.raw = true;
    add_step(&f, JCK_STEP_RECEIVE);
    add_step(&f, JCK_STEP_FENCE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_true(f.evidence.process_gone);
    assert_int_equal(f.evidence.end.kind, JRPC_END_SIGNALED);
    assert_int_equal(f.evidence.end.value, SIGKILL);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_FENCE, 2), 0);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_later_step_does_not_hide_that_the_process_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
