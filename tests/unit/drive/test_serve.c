// A client that runs by itself: how it is started, and what its messages are answered with.
#include "tests/unit/drive/scripted_program.h"

static void a_call_gets_its_result_and_the_end_of_the_program_ends_the_step(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_once);
    assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_string_equal(program_sent(&p, 0), ANSWER_1);
    assert_int_equal(p.stage.side.sent_count, 1);
    assert_int_equal(p.stage.evidence.settled[0], JCK_GONE);
    assert_int_equal(p.stage.evidence.ends[0].kind, JRPC_END_EXITED);
    assert_false(p.stage.evidence.process_gone); // an end of its own is no crash
    assert_true(jrpc_slice_is(p.stage.evidence.stderr_tail, "last words\n"));
    assert_true(stage_ms(&p.stage) < CALL_MS);
    stage_end(&p.stage);
}

static void the_address_replaces_its_names_in_the_words_of_the_command(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_once);
    (void)program_run(&p, "[" SERVE "]");
    assert_string_equal(p.words[0], "program");
    assert_string_equal(p.words[1], "--server=tcp://scripted:1");
    assert_string_equal(p.words[2], "scripted/1/1");
    stage_end(&p.stage);
}

// Two calls, the second while nothing is said to the first.
static void call_twice(program *p)
{
    scripted *caller = stage_connect(&p->stage);
    script_say(caller, 1, CALL_1);
    script_say(caller, 40, CALL_2);
}

static void end_after_two(program *p, scripted *caller, const char *text)
{
    (void)caller;
    (void)text;
    if (p->stage.side.sent_count == 1) { // this is the second
        script_end(p->process, 1, JRPC_END_EXITED, 0);
    }
}

static void calls_under_way_are_answered_in_the_order_that_the_step_says(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_twice);
    p.hear = end_after_two;
    (void)program_run(&p, "[" SERVE "]");
    assert_string_equal(program_sent(&p, 0), ANSWER_1);
    assert_string_equal(program_sent(&p, 1), ANSWER_2);
    stage_end(&p.stage);
    program_begin(&p, call_twice);
    p.hear = end_after_two;
    (void)program_run(&p, "[" REVERSED "]");
    assert_string_equal(program_sent(&p, 0), ANSWER_2);
    assert_string_equal(program_sent(&p, 1), ANSWER_1);
    // 50 ms of silence after the second, and 200 for what the program had sent before its end.
    assert_in_range(stage_ms(&p.stage), 290, 310);
    stage_end(&p.stage);
}

static void call_in_a_batch(program *p)
{
    script_say(stage_connect(&p->stage), 1, "[" CALL_1 "," NOTIFICATION "," CALL_2 "]");
}

static void a_batch_gets_one_array_without_its_notifications(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_in_a_batch);
    (void)program_run(&p, "[" SERVE "]");
    assert_string_equal(program_sent(&p, 0), "[" ANSWER_1 "," ANSWER_2 "]");
    assert_int_equal(p.stage.side.sent_count, 1);
    stage_end(&p.stage);
    program_begin(&p, call_in_a_batch);
    (void)program_run(&p, "[" REVERSED "]");
    assert_string_equal(program_sent(&p, 0), "[" ANSWER_2 "," ANSWER_1 "]");
    stage_end(&p.stage);
}

static void a_reply_without_the_id_of_a_call_is_sent_once_for_a_batch(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_in_a_batch);
    p.hear = end_after_two;
    (void)program_run(&p, "[{'serve':[{'answer':{'jsonrpc':'2.0','method':'tick'}},"
                          "{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}}]}]");
    assert_string_equal(program_sent(&p, 0), "{\"jsonrpc\":\"2.0\",\"method\":\"tick\"}");
    assert_string_equal(program_sent(&p, 1), "[" ANSWER_1 "," ANSWER_2 "]");
    assert_int_equal(p.stage.side.sent_count, 2);
    stage_end(&p.stage);
}

static void notify_and_answer(program *p)
{
    scripted *caller = stage_connect(&p->stage);
    script_say(caller, 1, NOTIFICATION);
    script_say(caller, 1, "[" NOTIFICATION "," NOTIFICATION "]");
    script_say(caller, 1, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":9}");
    script_end(p->process, 2, JRPC_END_EXITED, 0);
}

static void what_is_owed_nothing_gets_nothing(void **state)
{
    program p;
    (void)state;
    program_begin(&p, notify_and_answer);
    (void)program_run(&p, "[" SERVE "]");
    assert_int_equal(p.stage.side.sent_count, 0);
    assert_int_equal(stage_count(&p.stage, JCK_RECEIVED, JCK_MESSAGE_OF_CASE), 3);
    stage_end(&p.stage);
}

static const char *odd_text;

static void say_odd_text(program *p)
{
    script_say(stage_connect(&p->stage), 1, odd_text);
}

static void what_is_no_call_is_refused_as_any_server_refuses_it(void **state)
{
    static const struct {
        const char *text, *code;
    } rows[] = {{"hello", "-32700"}, {"{\"id\":", "-32700"}, {"[]", "-32600"},
                {"1", "-32600"},     {"null", "-32600"},     {"\"subtract\"", "-32600"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        program p;
        odd_text = rows[i].text;
        program_begin(&p, say_odd_text);
        assert_int_equal(program_run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
        assert_non_null(strstr(program_sent(&p, 0), rows[i].code));
        assert_non_null(strstr(program_sent(&p, 0), "\"id\":null"));
        assert_int_equal(p.stage.side.sent_count, 1);
        stage_end(&p.stage);
    }
}

static void call_on_its_output(program *p)
{
    script_say(p->process, 1, CALL_1);
}

static void end_of_input(scripted *c)
{
    script_end(c, 1, JRPC_END_EXITED, 0);
}

static void over_stdio_the_program_is_answered_on_its_input(void **state)
{
    program p;
    (void)state;
    program_begin(&p, call_on_its_output);
    p.stage.target.transport = JRPC_TRANSPORT_STDIO;
    p.stage.side.on_close_write = end_of_input; // which is not closed before it is answered
    (void)program_run(&p,
                      "[{'serve':[{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}},"
                      "{'close':'connection'}]}]");
    assert_string_equal(program_sent(&p, 0), ANSWER_1);
    assert_int_equal(stage_count(&p.stage, JCK_RECEIVED, JCK_MESSAGE_OF_CASE), 1);
    stage_end(&p.stage);
}

// What it prints is then for its user.
static void print_and_call_its_server(program *p)
{
    call_once(p);
    script_say(p->process, 2, "19");
}

static void a_program_that_starts_its_server_is_answered_there(void **state)
{
    program p;
    (void)state;
    program_begin(&p, print_and_call_its_server);
    p.stage.target.transport = JRPC_TRANSPORT_STDIO;
    (void)program_run(&p, "[" SERVE "]");
    assert_string_equal(program_sent(&p, 0), ANSWER_1);
    assert_int_equal(p.stage.side.sent_count, 1); // "19" is not refused as no call
    stage_end(&p.stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_gets_its_result_and_the_end_of_the_program_ends_the_step),
        cmocka_unit_test(the_address_replaces_its_names_in_the_words_of_the_command),
        cmocka_unit_test(calls_under_way_are_answered_in_the_order_that_the_step_says),
        cmocka_unit_test(a_batch_gets_one_array_without_its_notifications),
        cmocka_unit_test(a_reply_without_the_id_of_a_call_is_sent_once_for_a_batch),
        cmocka_unit_test(what_is_owed_nothing_gets_nothing),
        cmocka_unit_test(what_is_no_call_is_refused_as_any_server_refuses_it),
        cmocka_unit_test(over_stdio_the_program_is_answered_on_its_input),
        cmocka_unit_test(a_program_that_starts_its_server_is_answered_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
