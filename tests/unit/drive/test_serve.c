// A client that runs by itself: how it is started, what its messages are answered with, and when
// its run is over.
#include "tests/unit/drive/scripted_client.h"

typedef struct program program;

// The program that is the client. Each start of it is a connection of the script.
struct program {
    stage stage; // first: what the script leads to
    scripted *process;
    unsigned starts;
    char words[4][64]; // it was started with
    void (*begin)(program *p);
    void (*hear)(program *p, scripted *caller, const char *text); // NULL: end with status 0
};

static program *program_of(script *side)
{
    return (program *)(void *)side->context; // the stage is its first member
}

static void program_hear(scripted *c, const char *text, bool is_fence)
{
    program *p = program_of(c->of);
    (void)is_fence;
    if (p->hear != NULL) {
        p->hear(p, c, text);
    } else {
        script_end(p->process, 1, JRPC_END_EXITED, 0);
    }
}

static jrpc_peer *program_start(const jrpc_endpoint *endpoint, int64_t deadline_us,
                                jrpc_error *error)
{
    program *p = program_of(endpoint->dial_context);
    jrpc_peer *peer = scripted_dial(endpoint, deadline_us, error);
    if (peer != NULL) {
        p->process = scripted_of(peer);
        p->starts++;
        for (size_t i = 0; i < 4 && endpoint->argv[i] != NULL; i++) {
            (void)snprintf(p->words[i], sizeof p->words[i], "%s", endpoint->argv[i]);
        }
        p->begin(p);
    }
    return peer;
}

static void begin(program *p, void (*first)(program *p))
{
    static char name[] = "program";
    static char url[] = "--server={url}";
    static char parts[] = "{host}/{port}/{port}";
    static char *const words[] = {name, url, parts, NULL};
    memset(p, 0, sizeof *p);
    stage_begin(&p->stage, NULL);
    p->begin = first;
    p->stage.side.on_message = program_hear;
    p->stage.side.on_idle = NULL;
    p->stage.target.dial = program_start;
    p->stage.target.command = words;
    p->stage.client.options.undriven = true;
}

static jck_client_status run(program *p, const char *steps)
{
    jck_client_status status = stage_run(&p->stage, steps);
    assert_null(p->stage.client.driver.peer); // whatever came, it does not run on
    return status;
}

static const char *sent(const program *p, size_t i)
{
    return i < p->stage.side.sent_count ? p->stage.side.sent[i] : "";
}

#define PLAIN "{'serve':[{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}}]"
#define SERVE PLAIN "}"
#define REVERSED PLAIN ",'reversed':true}"
#define CALL_1 "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":1}"
#define CALL_2 "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":[\"x\"],\"id\":\"b\"}"
#define NOTIFICATION "{\"jsonrpc\":\"2.0\",\"method\":\"update\"}"
#define ANSWER_1 "{\"jsonrpc\":\"2.0\",\"result\":19,\"id\":1}"
#define ANSWER_2 "{\"jsonrpc\":\"2.0\",\"result\":[\"x\"],\"id\":\"b\"}"

static void call_once(program *p)
{
    script_say(stage_connect(&p->stage), 1, CALL_1);
}

static void a_call_gets_its_result_and_the_end_of_the_program_ends_the_step(void **state)
{
    program p;
    (void)state;
    begin(&p, call_once);
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_string_equal(sent(&p, 0), ANSWER_1);
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
    begin(&p, call_once);
    (void)run(&p, "[" SERVE "]");
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
    begin(&p, call_twice);
    p.hear = end_after_two;
    (void)run(&p, "[" SERVE "]");
    assert_string_equal(sent(&p, 0), ANSWER_1);
    assert_string_equal(sent(&p, 1), ANSWER_2);
    stage_end(&p.stage);
    begin(&p, call_twice);
    p.hear = end_after_two;
    (void)run(&p, "[" REVERSED "]");
    assert_string_equal(sent(&p, 0), ANSWER_2);
    assert_string_equal(sent(&p, 1), ANSWER_1);
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
    begin(&p, call_in_a_batch);
    (void)run(&p, "[" SERVE "]");
    assert_string_equal(sent(&p, 0), "[" ANSWER_1 "," ANSWER_2 "]");
    assert_int_equal(p.stage.side.sent_count, 1);
    stage_end(&p.stage);
    begin(&p, call_in_a_batch);
    (void)run(&p, "[" REVERSED "]");
    assert_string_equal(sent(&p, 0), "[" ANSWER_2 "," ANSWER_1 "]");
    stage_end(&p.stage);
}

static void a_reply_without_the_id_of_a_call_is_sent_once_for_a_batch(void **state)
{
    program p;
    (void)state;
    begin(&p, call_in_a_batch);
    p.hear = end_after_two;
    (void)run(&p, "[{'serve':[{'answer':{'jsonrpc':'2.0','method':'tick'}},"
                  "{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}}]}]");
    assert_string_equal(sent(&p, 0), "{\"jsonrpc\":\"2.0\",\"method\":\"tick\"}");
    assert_string_equal(sent(&p, 1), "[" ANSWER_1 "," ANSWER_2 "]");
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
    begin(&p, notify_and_answer);
    (void)run(&p, "[" SERVE "]");
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
        begin(&p, say_odd_text);
        assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
        assert_non_null(strstr(sent(&p, 0), rows[i].code));
        assert_non_null(strstr(sent(&p, 0), "\"id\":null"));
        assert_int_equal(p.stage.side.sent_count, 1);
        stage_end(&p.stage);
    }
}

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
    begin(&p, end_silently);
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_UNOPENED);
    assert_non_null(strstr(p.stage.error.message, "sent nothing: it ended with status 3"));
    assert_non_null(strstr(p.stage.error.message, "JRPCHECK_URL"));
    stage_end(&p.stage);
    begin(&p, do_nothing);
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_UNOPENED);
    assert_non_null(strstr(p.stage.error.message, "it did nothing in time"));
    assert_in_range(stage_ms(&p.stage), 5 * CALL_MS, 5 * CALL_MS + 20); // the time to start
    stage_end(&p.stage);
}

static void a_program_that_cannot_be_started_is_not_tested(void **state)
{
    program p;
    (void)state;
    begin(&p, do_nothing);
    p.stage.side.refuses = JRPC_ERROR_CLOSED;
    p.stage.side.refuses_from = 1;
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_UNOPENED);
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
    begin(&p, call_once);
    p.hear = run_on;
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
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
    begin(&p, call_once);
    p.hear = call_again;
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
    assert_int_equal(stage_count(&p.stage, JCK_RECEIVED, JCK_MESSAGE_OF_CASE), 2000);
    assert_int_equal(p.stage.evidence.settled[0], JCK_SETTLED);
    stage_end(&p.stage);
    begin(&p, call_once);
    p.hear = call_again;
    p.stage.side.state = CALL_MS;
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
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
    begin(&p, call_once);
    p.hear = crash;
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
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
    begin(&p, call_and_hang_up);
    assert_int_equal(run(&p, "[" REVERSED "]"), JCK_CLIENT_OK);
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
    begin(&p, end_before_its_words);
    assert_int_equal(run(&p, "[" SERVE "]"), JCK_CLIENT_OK);
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
    begin(&p, call_once);
    p.hear = leave_open;
    (void)run(&p, "[{'serve':[{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}},"
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
    begin(&p, print_and_call);
    (void)run(&p, steps);
    assert_int_equal(p.starts, 2);
    assert_int_equal(p.stage.evidence.settled[2], JCK_NOT_RUN);
    stage_end(&p.stage);
    begin(&p, print_and_call);
    p.stage.side.state = 1;
    (void)run(&p, steps);
    assert_int_equal(p.starts, 3);
    assert_int_equal(p.stage.evidence.settled[2], JCK_GONE);
    stage_end(&p.stage);
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
    begin(&p, call_on_its_output);
    p.stage.target.transport = JRPC_TRANSPORT_STDIO;
    p.stage.side.on_close_write = end_of_input; // which is not closed before it is answered
    (void)run(&p, "[{'serve':[{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}},"
                  "{'close':'connection'}]}]");
    assert_string_equal(sent(&p, 0), ANSWER_1);
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
    begin(&p, print_and_call_its_server);
    p.stage.target.transport = JRPC_TRANSPORT_STDIO;
    (void)run(&p, "[" SERVE "]");
    assert_string_equal(sent(&p, 0), ANSWER_1);
    assert_int_equal(p.stage.side.sent_count, 1); // "19" is not refused as no call
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
        begin(&p, say_and_stop);
        p.hear = run_on;
        p.stage.side.state = (int)rows[i].event;
        assert_int_equal(run(&p, "[" SERVE "," SERVE "]"), rows[i].status);
        assert_int_equal(p.starts, 1);
        stage_end(&p.stage);
    }
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
        cmocka_unit_test(a_program_that_sends_nothing_is_not_tested),
        cmocka_unit_test(a_program_that_cannot_be_started_is_not_tested),
        cmocka_unit_test(a_program_that_falls_silent_is_stopped_after_twice_the_time_out),
        cmocka_unit_test(a_program_that_never_ends_is_stopped_after_so_many_calls_or_so_long),
        cmocka_unit_test(a_signal_that_ends_the_program_is_a_crash),
        cmocka_unit_test(a_connection_that_the_client_has_closed_gets_no_answer),
        cmocka_unit_test(what_was_sent_before_the_end_is_still_read),
        cmocka_unit_test(the_suite_closes_its_end_where_the_step_says_so),
        cmocka_unit_test(a_run_that_is_only_for_what_differs_is_left_out_where_nothing_does),
        cmocka_unit_test(over_stdio_the_program_is_answered_on_its_input),
        cmocka_unit_test(a_program_that_starts_its_server_is_answered_there),
        cmocka_unit_test(the_user_and_our_own_faults_end_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
