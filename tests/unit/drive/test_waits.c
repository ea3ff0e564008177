// What the execution of a client's case waits for, how long, and what it records.
#include "tests/unit/drive/scripted_client.h"

static void a_call_is_heard_answered_and_reported(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    assert_int_equal(stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME "]"), JCK_CLIENT_OK);
    for (size_t i = 0; i < s.test_case.step_count; i++) {
        assert_int_equal(s.evidence.settled[i], JCK_SETTLED);
    }
    // connect, call and ping, each with its report; one Request, one answer.
    assert_int_equal(stage_count(&s, JCK_SENT, JCK_MESSAGE_OF_DRIVER), 3);
    assert_int_equal(stage_count(&s, JCK_RECEIVED, JCK_MESSAGE_OF_DRIVER), 3);
    assert_int_equal(stage_count(&s, JCK_SENT, JCK_MESSAGE_OF_CASE), 1);
    assert_int_equal(stage_count(&s, JCK_RECEIVED, JCK_MESSAGE_OF_CASE), 1);
    assert_int_equal(s.evidence.muteness, JCK_NOT_MUTE);
    assert_true(stage_ms(&s) < 10);
    assert_non_null(s.client.driver.peer); // fit for the next case
    assert_true(s.client.connected);
    stage_end(&s);
}

static void a_driver_is_told_to_connect_once_and_only_if_it_lists_that(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME "]");
    assert_int_equal(stage_commands(&s, "\"connect\""), 1);
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME "]");
    assert_int_equal(stage_commands(&s, "\"connect\""), 0);
    stage_end(&s);
    stage_begin(&s, GREETING(CAN_ONE));
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME "]");
    assert_int_equal(stage_commands(&s, "\"connect\""), 0);
    assert_int_equal(s.evidence.settled[3], JCK_SETTLED);
    stage_end(&s);
}

static void write_late(stage *s, scripted *driver, const char *do_, const char *tag,
                       const char *text)
{
    if (strcmp(do_, "\"call\"") == 0) {
        stage_request(s, 2 * CALL_MS - 10, tag, text);
    } else {
        stage_act(s, driver, do_, tag, text);
    }
}

static void a_request_is_waited_for_until_twice_the_time_out(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = write_late;
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME "]");
    assert_int_equal(s.evidence.settled[1], JCK_SETTLED);
    assert_int_equal(s.evidence.settled[3], JCK_SETTLED);
    assert_in_range(stage_ms(&s), 2 * CALL_MS - 10, 2 * CALL_MS);
    stage_end(&s);
}

static void never_call(stage *s, scripted *driver, const char *do_, const char *tag,
                       const char *text)
{
    if (strcmp(do_, "\"call\"") != 0) {
        stage_act(s, driver, do_, tag, text);
    }
}

static void a_request_that_never_comes_is_given_up(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = never_call;
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "]");
    assert_int_equal(s.evidence.settled[1], JCK_MUTE);
    assert_int_equal(s.evidence.settled[2], JCK_GONE); // there is no id to answer
    assert_int_equal(s.evidence.muteness, JCK_NOT_MUTE);
    assert_null(s.client.driver.peer); // a call of it is still under way: ended
    stage_end(&s);
}

static void refuse_call(stage *s, scripted *driver, const char *do_, const char *tag,
                        const char *text)
{
    if (strcmp(do_, "\"call\"") == 0) {
        stage_report(driver, 5, tag, "\"failed\":\"no\"");
    } else {
        stage_act(s, driver, do_, tag, text);
    }
}

static void a_request_is_not_waited_for_after_its_command_has_failed(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = refuse_call;
    (void)stage_run(&s, "[" CALL "," HEAR "," FAILS "]");
    assert_int_equal(s.evidence.settled[1], JCK_SETTLED);
    assert_int_equal(s.evidence.settled[2], JCK_SETTLED);
    assert_true(stage_ms(&s) < 20);
    stage_end(&s);
}

static void ignore(stage *s, scripted *caller, const char *text)
{
    (void)s;
    (void)caller;
    (void)text;
}

static void an_outcome_that_never_comes_is_given_up_and_the_driver_ended(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.message = ignore;
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME "]");
    assert_int_equal(s.evidence.settled[3], JCK_MUTE);
    assert_int_equal(s.evidence.muteness, JCK_NOT_MUTE); // it answers a ping
    assert_int_equal(stage_commands(&s, "\"ping\""), 1);
    assert_null(s.client.driver.peer);
    assert_in_range(stage_ms(&s), 2 * CALL_MS, 4 * CALL_MS + 20);
    stage_end(&s);
}

static void a_driver_of_one_thing_at_a_time_is_not_asked_while_a_call_holds_it_up(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ONE));
    s.message = ignore;
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME
                        ",{'do':'call','as':'two','method':'two'}]");
    assert_int_equal(s.evidence.settled[3], JCK_MUTE);
    assert_int_equal(s.evidence.settled[4], JCK_NOT_RUN);
    assert_int_equal(s.evidence.muteness, JCK_NOT_MUTE);
    assert_int_equal(stage_commands(&s, "\"ping\""), 0);
    assert_null(s.client.driver.peer);
    assert_in_range(stage_ms(&s), 2 * CALL_MS, 2 * CALL_MS + 20);
    stage_end(&s);
}

static void never_at_all(stage *s, scripted *driver, const char *do_, const char *tag,
                         const char *text)
{
    (void)s;
    (void)driver;
    (void)do_;
    (void)tag;
    (void)text;
}

static void a_driver_that_reads_nothing_hangs(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ONE));
    s.command = never_at_all;
    (void)stage_run(&s, "[" CALL "," HEAR "]");
    assert_int_equal(s.evidence.settled[1], JCK_MUTE);
    assert_int_equal(s.evidence.muteness, JCK_HUNG);
    assert_null(s.client.driver.peer);
    stage_end(&s);
}

// Reports the failure of the call after as many milliseconds as `state` says.
static void fail_late(stage *s, scripted *driver, const char *do_, const char *tag,
                      const char *text)
{
    stage_act(s, driver, do_, tag, text);
    if (strcmp(do_, "\"call\"") == 0) {
        stage_report(driver, s->side.state, tag, "\"failed\":\"no answer in time\"");
    }
}

#define MEANWHILE                                                                                  \
    "{'outcome':{'failed':true},'of':'one','meanwhile':{'jsonrpc':'2.0','method':'tick'}}"

static void a_message_is_sent_four_times_per_time_out_until_the_outcome_comes(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = fail_late;
    s.message = ignore;
    s.side.state = CALL_MS;
    (void)stage_run(&s, "[" CALL "," HEAR "," MEANWHILE "]");
    assert_int_equal(s.evidence.settled[2], JCK_SETTLED);
    assert_int_equal(stage_count(&s, JCK_SENT, JCK_MESSAGE_OF_CASE), 3);
    assert_in_range(stage_ms(&s), CALL_MS, CALL_MS + 20);
    stage_end(&s);
}

static void what_messages_hold_off_is_waited_for_four_time_outs(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = fail_late;
    s.message = ignore;
    s.side.state = 5 * CALL_MS;
    (void)stage_run(&s, "[" CALL "," HEAR "," MEANWHILE "]");
    assert_int_equal(s.evidence.settled[2], JCK_MUTE);
    assert_in_range(stage_count(&s, JCK_SENT, JCK_MESSAGE_OF_CASE), 15, 16);
    assert_in_range(stage_ms(&s), 5 * CALL_MS, 5 * CALL_MS + 20); // and then it came
    stage_end(&s);
}

#define NOTE "{'answer':{'jsonrpc':'2.0','method':'note'},'to':'one'}"
#define EVENT "{'outcome':{'any-of':[{'event':'notification','method':'note'}]}}"

static void an_event_is_waited_for_and_after_a_missing_one_the_next_is_not(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    (void)stage_run(&s, "[" CALL "," HEAR "," NOTE "," EVENT "," RIGHT "," OUTCOME "]");
    assert_int_equal(s.evidence.settled[3], JCK_SETTLED);
    assert_true(stage_ms(&s) < 20);
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME "," EVENT "," EVENT "]");
    assert_int_equal(s.evidence.settled[4], JCK_MUTE);
    assert_int_equal(s.evidence.settled[5], JCK_MUTE);
    assert_in_range(stage_ms(&s), 2 * CALL_MS, 2 * CALL_MS + 20);
    stage_end(&s);
}

static void a_fence_waits_for_its_event_or_for_a_ping(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME ",{'fence':true}]");
    assert_int_equal(s.evidence.settled[4], JCK_SETTLED);
    assert_int_equal(stage_count(&s, JCK_SENT, JCK_MESSAGE_OF_FENCE), 1);
    assert_int_equal(stage_count(&s, JCK_RECEIVED, JCK_MESSAGE_OF_FENCE), 1);
    assert_int_equal(stage_commands(&s, "\"ping\""), 1); // the one at the end
    stage_end(&s);
    stage_begin(&s, GREETING(CAN_ONE));
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," OUTCOME ",{'fence':true}]");
    assert_int_equal(stage_count(&s, JCK_SENT, JCK_MESSAGE_OF_FENCE), 0);
    assert_int_equal(stage_commands(&s, "\"ping\""), 2);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_heard_answered_and_reported),
        cmocka_unit_test(a_driver_is_told_to_connect_once_and_only_if_it_lists_that),
        cmocka_unit_test(a_request_is_waited_for_until_twice_the_time_out),
        cmocka_unit_test(a_request_that_never_comes_is_given_up),
        cmocka_unit_test(a_request_is_not_waited_for_after_its_command_has_failed),
        cmocka_unit_test(an_outcome_that_never_comes_is_given_up_and_the_driver_ended),
        cmocka_unit_test(a_driver_of_one_thing_at_a_time_is_not_asked_while_a_call_holds_it_up),
        cmocka_unit_test(a_driver_that_reads_nothing_hangs),
        cmocka_unit_test(a_message_is_sent_four_times_per_time_out_until_the_outcome_comes),
        cmocka_unit_test(what_messages_hold_off_is_waited_for_four_time_outs),
        cmocka_unit_test(an_event_is_waited_for_and_after_a_missing_one_the_next_is_not),
        cmocka_unit_test(a_fence_waits_for_its_event_or_for_a_ping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
