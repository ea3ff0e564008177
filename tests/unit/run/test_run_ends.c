// When a run ends before its cases are through, and what it says then.
#include "tests/unit/run/scripted_run.h"

static void ignore(scripted *c, const char *text, bool is_fence)
{
    (void)c;
    (void)text;
    (void)is_fence;
}

static void a_server_that_answers_nothing_hangs(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, ignore, "call/");
    assert_int_equal(run.result.end, JCK_RUN_MUTE);
    assert_string_equal(run.stop, "mute");
    assert_int_equal(run.count, 1);
    expect_of(&run, "call/unknown-method", "hang", "");
    assert_string_equal(run_reported(&run, "call/unknown-method")->rule, "J2-5a");
    run_end(&run);
}

static void echo(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_say(c, 1, text);
}

static void a_server_that_echoes_fails(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, echo, "call/");
    assert_int_equal(run.result.end, JCK_RUN_MUTE);
    assert_non_null(strstr(run.result.error.message, "sends back what it is sent"));
    expect_of(&run, "call/unknown-method", "fail", "");
    run_end(&run);
}

static void answer_first_only(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->state++ < 2) {
        run_answer(c, 1, text);
    }
}

static void a_server_that_goes_mute_each_time_ends_the_run(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, answer_first_only, "call/");
    assert_int_equal(run.result.end, JCK_RUN_MUTE);
    assert_int_equal(run.result.judged, 3);
    assert_int_equal(run.result.counts[JCK_OUTCOME_HANG], 3);
    assert_non_null(strstr(run.result.error.message, "in 3 cases in a row it stopped answering"));
    run_end(&run);
}

// Each message is answered when the next one comes.
static void answer_the_one_before(scripted *c, const char *text, bool is_fence)
{
    static char before[4096];
    (void)is_fence;
    if (c->state++ > 0) {
        run_answer(c, 1, before);
    }
    (void)snprintf(before, sizeof before, "%s", text);
}

static void answers_that_are_one_late_are_named(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, answer_the_one_before, "call/");
    assert_int_equal(run.result.end, JCK_RUN_MUTE);
    assert_non_null(strstr(run.result.error.message, "one request late"));
    expect_of(&run, "call/unknown-method", "fail", "");
    assert_int_equal(run.count, 1);
    run_end(&run);
}

static void a_server_that_cannot_be_reached_ends_the_run(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_TCP);
    run.side.refuses = JRPC_ERROR_CLOSED;
    run.side.refuses_from = 1;
    GO_ON(&run, run_answer_rightly, "call/");
    assert_int_equal(run.result.end, JCK_RUN_UNOPENED);
    assert_string_equal(run.stop, "unopened");
    assert_int_equal(run.count, 0);
    run_end(&run);
}

static void one_that_cannot_be_reached_again_does_too(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_STDIO);
    run.side.refuses = JRPC_ERROR_CLOSED;
    run.side.refuses_from = 2;
    GO_ON(&run, run_die_of_empty_batches, "batch/");
    assert_int_equal(run.result.end, JCK_RUN_UNOPENED);
    assert_string_equal(run.result.error.message, "cannot connect: connection refused");
    assert_true(run.result.judged > 1);
    run_end(&run);
}

static void interrupt(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[]") == 0) {
        script_happen(c, 1, JRPC_PEER_INTERRUPTED);
    }
    run_answer(c, 1, text);
}

static void an_interruption_ends_the_run(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, interrupt, "batch/");
    assert_int_equal(run.result.end, JCK_RUN_INTERRUPTED);
    assert_true(run.result.judged > 1);
    assert_false(is_reported(&run, "batch/empty"));
    run_end(&run);
}

static void fault(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[]") == 0) {
        script_happen(c, 1, JRPC_PEER_FAULT);
    }
    run_answer(c, 1, text);
}

static void a_failure_of_our_own_ends_the_run(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, fault, "batch/");
    assert_int_equal(run.result.end, JCK_RUN_FAULT);
    assert_string_equal(run.stop, "fault");
    assert_false(is_reported(&run, "batch/empty"));
    run_end(&run);
}

static void the_time_of_a_run_is_bounded(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_STDIO);
    run.options.max_us = 50000;
    GO_ON(&run, run_answer_rightly, "batch/");
    assert_int_equal(run.result.end, JCK_RUN_TIME_UP);
    assert_string_equal(run.stop, "time");
    assert_true(run.result.judged > 1);
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_that_answers_nothing_hangs),
        cmocka_unit_test(a_server_that_echoes_fails),
        cmocka_unit_test(a_server_that_goes_mute_each_time_ends_the_run),
        cmocka_unit_test(answers_that_are_one_late_are_named),
        cmocka_unit_test(a_server_that_cannot_be_reached_ends_the_run),
        cmocka_unit_test(one_that_cannot_be_reached_again_does_too),
        cmocka_unit_test(an_interruption_ends_the_run),
        cmocka_unit_test(a_failure_of_our_own_ends_the_run),
        cmocka_unit_test(the_time_of_a_run_is_bounded),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
