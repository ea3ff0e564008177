// How the execution of a client's case ends, and what makes it: the driver, the client, the user.
#include "tests/unit/drive/scripted_client.h"

static const char *noise_of(const stage *s)
{
    for (size_t i = 0; i < s->evidence.count; i++) {
        const jck_message *message = &s->evidence.messages[i];
        if (message->role == JCK_MESSAGE_NOISE) {
            assert_int_equal(message->connection, '-');
            return message->why;
        }
    }
    return "";
}

// The mistakes of drivers; each is made on the call.
static const struct {
    const char *line;
    const char *why;
} mistakes[] = {
    {"hello", "a line of the driver that is not JSON"},
    {"[1]", "a line of the driver that is not a JSON Object"},
    {"{\"result\":1}", "a line of the driver without the tag of a command"},
    {"{\"tag\":77,\"result\":1}", "the driver answers a tag that no command of this case has"},
    {"{\"tag\":1,\"result\":null}", "the driver answers a tag for the second time"},
};

static void err(stage *s, scripted *driver, const char *do_, const char *tag, const char *text)
{
    if (strcmp(do_, "\"call\"") == 0) {
        script_say(driver, 1, mistakes[s->side.state].line);
    } else {
        stage_act(s, driver, do_, tag, text);
    }
}

static void a_mistake_of_the_driver_ends_the_case_and_is_recorded(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        stage s;
        stage_begin(&s, GREETING(CAN_ALL));
        s.command = err;
        s.side.state = (int)i;
        assert_int_equal(stage_run(&s, "[" CALL "," HEAR "," RIGHT "]"), JCK_CLIENT_OK);
        assert_string_equal(noise_of(&s), mistakes[i].why);
        assert_int_equal(s.evidence.settled[2], JCK_NOT_RUN);
        assert_null(s.client.driver.peer);
        stage_end(&s);
    }
}

static void die(stage *s, scripted *driver, const char *do_, const char *tag, const char *text)
{
    if (strcmp(do_, "\"call\"") == 0) {
        script_end(driver, 3, s->side.state == 0 ? JRPC_END_EXITED : JRPC_END_SIGNALED, 6);
    } else {
        stage_act(s, driver, do_, tag, text);
    }
}

static void the_end_of_the_driver_ends_the_case(void **state)
{
    (void)state;
    for (int how = 0; how < 2; how++) {
        stage s;
        stage_begin(&s, GREETING(CAN_ALL));
        s.command = die;
        s.side.state = how;
        assert_int_equal(stage_run(&s, "[" CALL "," HEAR "," RIGHT "]"), JCK_CLIENT_OK);
        assert_true(s.evidence.process_gone);
        assert_int_equal(s.evidence.end.kind, how == 0 ? JRPC_END_EXITED : JRPC_END_SIGNALED);
        assert_int_equal(s.evidence.end.value, 6);
        assert_int_equal(s.evidence.settled[1], JCK_GONE);
        assert_int_equal(s.evidence.settled[2], JCK_NOT_RUN);
        assert_true(jrpc_slice_is(s.evidence.stderr_tail, "last words\n"));
        assert_true(stage_ms(&s) < 20);
        stage_end(&s);
    }
}

static void a_driver_that_takes_no_command_hangs(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    stage_open(&s);
    s.side.send_event = JRPC_PEER_TIMEOUT;
    assert_int_equal(stage_run(&s, "[" CALL "," HEAR "]"), JCK_CLIENT_OK);
    assert_int_equal(s.evidence.muteness, JCK_HUNG);
    assert_int_equal(s.evidence.settled[0], JCK_UNSENT);
    assert_int_equal(s.evidence.settled[1], JCK_NOT_RUN);
    assert_in_range(stage_ms(&s), 2 * CALL_MS, 2 * CALL_MS + 20);
    stage_end(&s);
}

static void stop_listening(stage *s, scripted *driver, const char *do_, const char *tag,
                           const char *text)
{
    stage_act(s, driver, do_, tag, text);
    if (strcmp(do_, "\"call\"") == 0) {
        script_happen(driver, 2, (jrpc_peer_event)s->side.state);
    }
}

static void the_user_and_our_own_faults_are_told_apart_from_the_client(void **state)
{
    static const struct {
        jrpc_peer_event event;
        jck_client_status status;
    } rows[] = {{JRPC_PEER_INTERRUPTED, JCK_CLIENT_INTERRUPTED},
                {JRPC_PEER_FAULT, JCK_CLIENT_FAULT}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stage s;
        stage_begin(&s, GREETING(CAN_ALL));
        s.command = stop_listening;
        s.message = NULL;
        s.side.state = (int)rows[i].event;
        assert_int_equal(stage_run(&s, "[" CALL "," HEAR ",{'fence':true}," FAILS "]"),
                         rows[i].status);
        assert_false(s.evidence.process_gone);
        stage_end(&s);
    }
}

static void hang_up(stage *s, scripted *caller, const char *text)
{
    char id[256];
    script_member(text, "id", id, sizeof id);
    script_end(caller, 1, JRPC_END_CLOSED, 0);
    stage_report(stage_driver(s), 2, id, "\"failed\":\"closed\"");
}

static void a_client_that_hangs_up_is_recorded_and_starts_anew(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.message = hang_up;
    (void)stage_run(&s, "[" CALL "," HEAR "," RIGHT "," FAILS "]");
    assert_true(s.evidence.caller_left);
    assert_int_equal(s.evidence.settled[3], JCK_SETTLED);
    assert_int_equal(stage_commands(&s, "\"close\""), 1);
    assert_non_null(s.client.driver.peer);
    assert_false(s.client.connected);
    stage_end(&s);
}

static void report_end(stage *s, scripted *driver, const char *do_, const char *tag,
                       const char *text)
{
    stage_act(s, driver, do_, tag, text);
    if (strcmp(do_, "\"call\"") == 0) {
        stage_report(driver, 10, tag, "\"failed\":\"closed\"");
    }
}

static void our_end_of_the_connection_is_closed_and_not_held_against_the_client(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = report_end;
    (void)stage_run(&s, "[" CALL "," HEAR ",{'close':'connection','of':'one'}," FAILS "]");
    assert_false(s.evidence.caller_left);
    assert_int_equal(s.evidence.settled[2], JCK_SETTLED);
    assert_int_equal(s.evidence.settled[3], JCK_SETTLED);
    assert_int_equal(s.side.closed, 1);
    stage_end(&s);
}

static void an_answer_to_a_connection_that_is_gone_goes_nowhere(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = report_end;
    (void)stage_run(&s,
                    "[" CALL "," HEAR ",{'close':'connection','of':'one'}," RIGHT "," FAILS "]");
    assert_int_equal(s.evidence.settled[3], JCK_GONE);
    assert_int_equal(stage_count(&s, JCK_SENT, JCK_MESSAGE_OF_CASE), 0);
    stage_end(&s);
}

// Requests without end, from the call on.
static void chatter(scripted *c)
{
    stage *s = c->of->context;
    if (c->number == 1) {
        stage_greet(c);
    } else if (s->side.state > 0) {
        script_say(c, 0, "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}");
    }
}

static void flood(stage *s, scripted *driver, const char *do_, const char *tag, const char *text)
{
    s->side.state = strcmp(do_, "\"call\"") == 0 ? 1 : s->side.state;
    stage_act(s, driver, do_, tag, text);
}

static void a_flood_of_requests_ends_the_case(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    s.command = flood;
    s.side.on_idle = chatter;
    (void)stage_run(&s, "[" CALL "," HEAR "," FAILS "," HEAR "]");
    assert_in_range(s.evidence.flood_messages, 10000, 10010);
    assert_int_equal(s.evidence.settled[3], JCK_NOT_RUN);
    assert_null(s.client.driver.peer);
    stage_end(&s);
}

// What is no first line of a driver, and what is said of it.
static void a_driver_that_is_none_is_refused_with_its_words(void **state)
{
    static const struct {
        const char *greeting, *says;
    } rows[] = {
        {"Hello", "is not a JSON Object; it wrote: Hello"},
        {"[]", "is not a JSON Object"},
        {"{\"can\":[\"call\"]}", "lacks \"driver\": 1"},
        {"{\"driver\":2,\"can\":[\"call\"]}", "lacks \"driver\": 1"},
        {"{\"driver\":1}", "lacks \"can\""},
        {"{\"driver\":1,\"can\":[\"notify\"]}", "lacks \"call\""},
        {"{\"driver\":1,\"can\":[\"call\",\"fly\"]}", "has an unknown word in \"can\""},
        {NULL, "wrote nothing in time"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stage s;
        stage_begin(&s, rows[i].greeting);
        assert_int_equal(jck_client_open(&s.client, CALL_MS, &s.error), JCK_CLIENT_UNOPENED);
        assert_non_null(strstr(s.error.message, rows[i].says));
        assert_null(s.client.driver.peer);
        stage_end(&s);
    }
}

static void another_time_out_is_another_driver(void **state)
{
    stage s;
    (void)state;
    stage_begin(&s, GREETING(CAN_ALL));
    stage_open(&s);
    stage_open(&s);
    assert_int_equal(s.client.starts, 1);
    s.greeting = GREETING(CAN_ONE);
    // The new driver is connection 2 of the script, so it says its first line when it is asked.
    assert_int_equal(jck_client_open(&s.client, (int64_t)2 * CALL_MS, &s.error),
                     JCK_CLIENT_UNOPENED);
    assert_int_equal(s.client.starts, 2);
    assert_int_equal(jck_client_patience_ms(&s.client), 4 * CALL_MS);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_of_the_driver_ends_the_case_and_is_recorded),
        cmocka_unit_test(the_end_of_the_driver_ends_the_case),
        cmocka_unit_test(a_driver_that_takes_no_command_hangs),
        cmocka_unit_test(the_user_and_our_own_faults_are_told_apart_from_the_client),
        cmocka_unit_test(a_client_that_hangs_up_is_recorded_and_starts_anew),
        cmocka_unit_test(our_end_of_the_connection_is_closed_and_not_held_against_the_client),
        cmocka_unit_test(an_answer_to_a_connection_that_is_gone_goes_nowhere),
        cmocka_unit_test(a_flood_of_requests_ends_the_case),
        cmocka_unit_test(a_driver_that_is_none_is_refused_with_its_words),
        cmocka_unit_test(another_time_out_is_another_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
