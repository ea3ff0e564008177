// Manners of servers that a run has to cope with: connections for one message, params in every
// call, requests of their own, floods, noise, refusals that come late.
#include "tests/unit/run/scripted_run.h"

static void serve_one_message(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->state++ == 0) {
        run_answer(c, 1, text);
        script_end(c, 2, JRPC_END_CLOSED, 0);
    }
}

static void a_connection_for_each_message_is_enough(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_TCP);
    GO_ON(&run, serve_one_message, "call/", "batch/two-calls", "notification/unknown",
          "in-flight/");
    assert_true(run.result.conformant);
    assert_int_equal(run.result.counts[JCK_OUTCOME_PASS], run.result.judged);
    assert_true(run.side.opened > run.result.judged);
    assert_string_equal(run_reported(&run, "in-flight/equal-ids")->reason, "not-carried");
    run_end(&run);
}

static void want_params(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    (void)is_fence;
    script_id(text, id);
    if (text[0] == '{' && id[0] != '\0' && strstr(text, "\"params\"") == NULL) {
        script_error(c, 1, -32602, id);
    } else {
        run_answer(c, 1, text);
    }
}

static void params_are_given_to_whoever_wants_them(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, want_params, "call/", "notification/unknown", "params/");
    assert_true(run.result.conformant);
    assert_true(run.result.judged > 20);
    assert_int_equal(run.side.opened, 1);
    run_end(&run);
}

static void ask_back(scripted *c, const char *text, bool is_fence)
{
    if (!is_fence && text[0] == '{' && strstr(text, "\"method\"") != NULL && c->state++ % 4 == 0) {
        script_say(c, 0, "{\"jsonrpc\":\"2.0\",\"method\":\"ask\",\"id\":\"mine\"}");
    }
    if (strstr(text, "\"mine\"") == NULL) {
        run_answer(c, 1, text);
    }
}

static void requests_of_the_server_are_answered(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, ask_back, "call/", "batch/");
    assert_true(run.result.conformant);
    assert_true(run.result.judged > 60);
    assert_true(run.side.sent_count > 0);
    run_end(&run);
}

static void flood(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    c->state = c->state || strcmp(text, "[]") == 0;
    if (!c->state) {
        run_answer(c, 1, text);
    }
}

static void go_on_and_on(scripted *c)
{
    if (c->state) {
        script_say(c, 0, "{\"jsonrpc\":\"2.0\",\"method\":\"again\"}");
    }
}

static void a_flood_is_not_listened_to_without_end(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_STDIO);
    run.side.on_idle = go_on_and_on;
    GO_ON(&run, flood, "batch/empty", "batch/only-number", "call/unknown-method");
    expect_of(&run, "batch/empty", "fail", "");
    expect_of(&run, "batch/only-number", "pass", "");
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    run_end(&run);
}

static void log_to_its_output(scripted *c, const char *text, bool is_fence)
{
    if (strcmp(text, "[]") == 0) {
        script_noise(c, 0, "INFO: an empty batch");
    }
    run_answer_rightly(c, text, is_fence);
}

static void noise_is_a_finding_of_its_case(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, log_to_its_output, "batch/empty", "batch/only-number");
    expect_of(&run, "batch/empty", "warn", "");
    assert_string_equal(run_reported(&run, "batch/empty")->rule, "FR-f");
    expect_of(&run, "batch/only-number", "pass", "");
    run_end(&run);
}

// A refusal takes a while, and what comes after it does not.
static void refuse_slowly(scripted *c, const char *text, bool is_fence)
{
    size_t before = c->count;
    run_answer(c, 1, text);
    (void)is_fence;
    for (size_t i = 0; i < c->count; i++) {
        if (c->count > before && strstr(c->events[i].text, "\"id\":null") != NULL &&
            c->events[i].at_us < c->of->now_us + 2000) {
            c->events[i].at_us = c->of->now_us + 30000;
            script_event moved = c->events[i];
            memmove(c->events + i, c->events + i + 1, (c->count - i - 1) * sizeof moved);
            c->count--;
            script_event_at(c, 30, moved);
            break;
        }
    }
}

static void a_refusal_that_comes_late_goes_to_what_it_refuses(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, refuse_slowly, "call/unknown-method", "invalid/", "message/", "batch/empty-then-call");
    assert_true(run.result.conformant);
    assert_true(run.result.judged > 10);
    run_end(&run);
}

static void ignore_a_batch(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[1]") != 0) {
        run_answer(c, 1, text);
    }
}

static void an_answer_that_never_comes_is_missed_after_a_first_look(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, ignore_a_batch, "batch/", "call/");
    expect_of(&run, "batch/only-number", "fail", "");
    expect_of(&run, "batch/only-null", "pass", "");
    assert_int_equal(run.result.counts[JCK_OUTCOME_FAIL], 1);
    run_end(&run);
}

static void ignore_after_empty_batches(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    c->state = c->state || strcmp(text, "[]") == 0;
    if (!c->state) {
        run_answer(c, 1, text);
    }
}

static void a_connection_that_is_stuck_is_told_from_a_server_that_hangs(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_TCP);
    GO_ON(&run, ignore_after_empty_batches, "batch/empty", "batch/only-number");
    expect_of(&run, "batch/empty", "stuck", "");
    expect_of(&run, "batch/only-number", "pass", "");
    run_end(&run);
    GO(&run, ignore_after_empty_batches, "batch/empty", "batch/only-number");
    expect_of(&run, "batch/empty", "hang", "");
    expect_of(&run, "batch/only-number", "pass", "");
    run_end(&run);
}

static void hang_up(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[]") == 0) {
        script_end(c, 1, JRPC_END_CLOSED, 0);
    } else {
        run_answer(c, 1, text);
    }
}

static void a_connection_that_is_closed_is_no_crash(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_TCP);
    GO_ON(&run, hang_up, "batch/empty", "batch/only-number");
    expect_of(&run, "batch/empty", "fail", "");
    assert_string_equal(run_reported(&run, "batch/empty")->rule, "J2-6d");
    expect_of(&run, "batch/only-number", "pass", "");
    run_end(&run);
}

static void leave(scripted *c)
{
    script_end(c, 1, JRPC_END_EXITED, 0);
}

static void a_process_may_leave_once_its_input_has_ended(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_STDIO);
    run.side.on_close_write = leave;
    GO_ON(&run, run_answer_rightly, "security/", "state/");
    assert_true(run.result.conformant);
    assert_true(run.result.judged > 40);
    run_end(&run);
}

static void exit_orderly(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[]") == 0) {
        script_end(c, 1, JRPC_END_EXITED, 0);
    } else {
        run_answer(c, 1, text);
    }
}

static void an_orderly_exit_is_told_from_a_crash(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, exit_orderly, "batch/empty", "batch/only-number");
    expect_of(&run, "batch/empty", "ended", "");
    expect_of(&run, "batch/only-number", "pass", "");
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_connection_for_each_message_is_enough),
        cmocka_unit_test(params_are_given_to_whoever_wants_them),
        cmocka_unit_test(requests_of_the_server_are_answered),
        cmocka_unit_test(a_flood_is_not_listened_to_without_end),
        cmocka_unit_test(noise_is_a_finding_of_its_case),
        cmocka_unit_test(a_refusal_that_comes_late_goes_to_what_it_refuses),
        cmocka_unit_test(an_answer_that_never_comes_is_missed_after_a_first_look),
        cmocka_unit_test(a_connection_that_is_stuck_is_told_from_a_server_that_hangs),
        cmocka_unit_test(a_connection_that_is_closed_is_no_crash),
        cmocka_unit_test(a_process_may_leave_once_its_input_has_ended),
        cmocka_unit_test(an_orderly_exit_is_told_from_a_crash),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
