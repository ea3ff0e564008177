// A client that runs by itself: when its run is over, and what is kept of that.
#include "tests/unit/drive/scripted_program.h"
static void end_silently(program *p)
{
    script_end(p->process, 5, JRPC_END_EXITED, 3);
}

static void do_nothing(program *p)
{
    (void)p;
}

static void a_program_that_sends_nothing_is_not_tested(void **state)
{
    program p;
    (void)state;
    program_begin(&p, end_silently);
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_UNOPENED);
    assert_non_null(strstr(p.stage.error.message, "sent nothing: it ended with status 3"));
    assert_non_null(strstr(p.stage.error.message, "JRPCHECK_URL"));
    stage_end(&p.stage);
    program_begin(&p, do_nothing);
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_UNOPENED);
    assert_non_null(strstr(p.stage.error.message, "it did nothing in time"));
    assert_in_range(stage_ms(&p.stage), 5 * CALL_MS, 5 * CALL_MS + 20); // the time to start
    stage_end(&p.stage);
}

static void a_program_that_cannot_be_started_is_not_tested(void **state)
{
    program p;
    (void)state;
    program_begin(&p, do_nothing);
    p.stage.side.refuses = JRPC_ERROR_CLOSED;
    p.stage.side.refuses_from = 1;
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_UNOPENED);
    assert_int_equal(p.starts, 0);
    stage_end(&p.stage);
}

static void run_on(program *p, scripted *caller, const char *text)
{
    (void)p;
    (void)caller;
    (void)text;
}

static void a_program_that_falls_silent_is_stopped_after_twice_the_time_out(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_once);
    p.hear = run_on;
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_int_equal(p.stage.evidence.settled[0], JCK_SETTLED);
    assert_in_range(stage_ms(&p.stage), 2 * CALL_MS, 2 * CALL_MS + 20);
    stage_end(&p.stage);
}

// Each answer is followed by the next call, as long after it as `state` says.
static void call_again(program *p, scripted *caller, const char *text)
{
    (void)text;
    script_say(caller, p->stage.side.state, CALL_1);
}

static void a_program_that_never_ends_is_stopped_after_so_many_calls_or_so_long(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_once);
    p.hear = call_again;
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_int_equal(stage_count(&p.stage, JCK_RECEIVED, JCK_MESSAGE_OF_CASE), 2000);
    assert_int_equal(p.stage.evidence.settled[0], JCK_SETTLED);
    stage_end(&p.stage);
    program_begin(&p, call_once);
    p.hear = call_again;
    p.stage.side.state = CALL_MS;
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_in_range(stage_ms(&p.stage), 10 * CALL_MS, 11 * CALL_MS);
    stage_end(&p.stage);
}

static void crash(program *p, scripted *caller, const char *text)
{
    (void)caller;
    (void)text;
    script_end(p->process, 1, JRPC_END_SIGNALED, 11);
}

static void a_signal_that_ends_the_program_is_a_crash(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_once);
    p.hear = crash;
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_true(p.stage.evidence.process_gone);
    assert_int_equal(p.stage.evidence.end.kind, JRPC_END_SIGNALED);
    assert_int_equal(p.stage.evidence.end.value, 11);
    stage_end(&p.stage);
}

static void call_and_hang_up(program *p)
{
    scripted *caller = stage_connect(&p->stage);
    script_say(caller, 1, CALL_1);
    script_end(caller, 10, JRPC_END_CLOSED, 0);
    script_end(p->process, 300, JRPC_END_EXITED, 0);
}

static void a_connection_that_the_client_has_closed_gets_no_answer(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_and_hang_up);
    assert_int_equal(program_run(&p, "[" REVERSED "]"), JCK_CLIENT_OK);
    assert_int_equal(p.stage.side.sent_count, 0);
    stage_end(&p.stage);
}

// The program is gone before what it wrote has arrived.
static void end_before_its_words(program *p)
{
    scripted *caller = stage_connect(&p->stage);
    script_end(p->process, 1, JRPC_END_EXITED, 0);
    script_say(caller, 5, NOTIFICATION);
    script_say(caller, 6, NOTIFICATION);
    script_end(caller, 7, JRPC_END_CLOSED, 0);
}

static void what_was_sent_before_the_end_is_still_read(void **state)
{
    program p;
    (void)state;
    program_begin(&p, end_before_its_words);
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_int_equal(stage_count(&p.stage, JCK_RECEIVED, JCK_MESSAGE_OF_CASE), 2);
    stage_end(&p.stage);
}

static void leave_open(program *p, scripted *caller, const char *text)
{
    (void)text;
    script_end(p->process, 1, JRPC_END_EXITED, 0);
    assert_false(caller->half_closed);
}

static void the_suite_closes_its_end_where_the_step_says_so(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_once);
    p.hear = leave_open;
    (void)program_run(&p,
                      "[{'serve':[{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}},"
                      "{'close':'connection'},{'answer':'never'}]}]");
    assert_int_equal(p.stage.side.sent_count, 1);
    assert_false(p.stage.evidence.caller_left);
    stage_end(&p.stage);
}

// Prints what is different in each run from that on.
static void print_and_call(program *p)
{
    char line[32];
    (void)snprintf(line, sizeof line, "run %u", p->stage.side.state > 0 ? p->starts : 0);
    script_say(p->process, 0, line);
    call_once(p);
}

static void a_run_that_is_only_for_what_differs_is_left_out_where_nothing_does(void **state)
{
    static const char steps[] =
        "[" SERVE "," PLAIN ",'same':'everything'}," PLAIN ",'again':true}]";
    program p;
    (void)state;
    program_begin(&p, print_and_call);
    (void)program_run(&p, steps);
    assert_int_equal(p.starts, 2);
    assert_int_equal(p.stage.evidence.settled[2], JCK_NOT_RUN);
    stage_end(&p.stage);
    program_begin(&p, print_and_call);
    p.stage.side.state = 1;
    (void)program_run(&p, steps);
    assert_int_equal(p.starts, 3);
    assert_int_equal(p.stage.evidence.settled[2], JCK_GONE);
    stage_end(&p.stage);
}

static void say_and_stop(program *p)
{
    script_say(stage_connect(&p->stage), 1, CALL_1);
    script_happen(p->process, 2, (jrpc_peer_event)p->stage.side.state);
}

static void the_user_and_our_own_faults_end_the_step(void **state)
{
    static const struct {
        jrpc_peer_event event;
        jck_client_status status;
    } rows[] = {{JRPC_PEER_INTERRUPTED, JCK_CLIENT_INTERRUPTED},
                {JRPC_PEER_FAULT, JCK_CLIENT_FAULT}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        program p;
        program_begin(&p, say_and_stop);
        p.hear = run_on;
        p.stage.side.state = (int)rows[i].event;
        assert_int_equal(program_run(&p, "[" SERVE "," SERVE "]"), rows[i].status);
        assert_int_equal(p.starts, 1);
        stage_end(&p.stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_sends_nothing_is_not_tested),
        cmocka_unit_test(a_program_that_cannot_be_started_is_not_tested),
        cmocka_unit_test(a_program_that_falls_silent_is_stopped_after_twice_the_time_out),
        cmocka_unit_test(a_program_that_never_ends_is_stopped_after_so_many_calls_or_so_long),
        cmocka_unit_test(a_signal_that_ends_the_program_is_a_crash),
        cmocka_unit_test(a_connection_that_the_client_has_closed_gets_no_answer),
        cmocka_unit_test(what_was_sent_before_the_end_is_still_read),
        cmocka_unit_test(the_suite_closes_its_end_where_the_step_says_so),
        cmocka_unit_test(a_run_that_is_only_for_what_differs_is_left_out_where_nothing_does),
        cmocka_unit_test(the_user_and_our_own_faults_end_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
