// One case into evidence, over a scripted peer: which step an answer belongs to, and what is done
// where a step or the target asks for it.
#include "tests/unit/session/session_test.h"

#define NOT_A_REQUEST "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":{}}"
#define REFUSAL "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"m\"},\"id\":null}"

enum { ANSWER_BYTES = 256 };

// Refuses what it was sent first only when the next message has come.
static void refuse_late(scripted *c, const char *text, bool is_fence)
{
    const char *refusal = c->of->context;
    if (is_fence) {
        script_answer(c, 1, text);
    } else if (c->of->state++ == 1) {
        script_say(c, 1, refusal);
        if (strstr(text, "\"method\":\"m\"") != NULL) {
            script_answer(c, 2, text);
        }
    }
}

static void a_late_refusal_goes_to_the_step_that_can_be_refused(void **state)
{
    (void)state;
    static const struct {
        const char *first, *refusal, *second;
        size_t at_first, at_second;
    } rows[] = {
        {NOT_A_REQUEST, REFUSAL, CALL_OF_ID, 1, 1},
        {"[1,2]", "[" REFUSAL "," REFUSAL "]", CALL_OF_ID, 1, 1},
        // What was sent last may be what is refused.
        {NOT_A_REQUEST, REFUSAL, NOT_A_REQUEST, 0, 1},
        // A call in order is refused with its id.
        {CALL_OF_ID, REFUSAL, CALL_OF_ID, 0, 2},
        {"[" NOTIFICATION "]", REFUSAL, CALL_OF_ID, 0, 2},
        // Not an answer of nobody's.
        {NOT_A_REQUEST, "[" REFUSAL ",[]]", CALL_OF_ID, 0, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        char refusal[256];
        (void)snprintf(refusal, sizeof refusal, "%s", rows[i].refusal);
        begin_opened(&f, refuse_late, refusal);
        add_send(&f, rows[i].first, JCK_EXPECT_RESPONSE);
        add_send(&f, rows[i].second, JCK_EXPECT_RESPONSE);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), rows[i].at_first);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), rows[i].at_second);
        end(&f);
    }
}

#define NAMED(name) "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"${id." name "}\"}"

// Answers a call with the id of the first one only when the next message has come.
static void answer_first_late(scripted *c, const char *text, bool is_fence)
{
    char *first = c->of->context;
    if (is_fence) {
        script_answer(c, 1, text);
    } else if (c->of->state++ == 0) {
        (void)snprintf(first, ANSWER_BYTES, "%s", text);
    } else {
        script_answer(c, 1, first);
        script_answer(c, 2, text);
    }
}

static void a_late_answer_with_an_id_of_the_case_goes_to_the_step_that_sent_it(void **state)
{
    (void)state;
    static const struct {
        jck_expect_kind expect;
        const char *second;
        size_t at_first, at_second;
    } rows[] = {
        {JCK_EXPECT_ANYTHING, NAMED("after"), 1, 1},
        {JCK_EXPECT_UNSTATED, NAMED("after"), 0, 2}, // it is left to the later step
        {JCK_EXPECT_ANYTHING, NAMED("before"), 0, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        char first[ANSWER_BYTES] = "";
        begin_opened(&f, answer_first_late, first);
        add_send(&f, NAMED("before"), rows[i].expect);
        add_send(&f, rows[i].second, JCK_EXPECT_RESPONSE);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), rows[i].at_first);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), rows[i].at_second);
        end(&f);
    }
}

static void a_known_silence_is_not_waited_for(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t place; // of the flag
    } rows[] = {
        {"{\"jsonrpc\"", offsetof(jck_session, silent_on_parse_error)},
        {"[" CALL_OF_ID "]", offsetof(jck_session, silent_on_batch)},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[1],\"id\":\"${id}\"}",
         offsetof(jck_session, silent_on_positional)},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{},\"id\":\"${id}\"}",
         offsetof(jck_session, silent_on_named)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        int after_ms = 0;
        begin_opened(&f, answer_after, &after_ms);
        add_send(&f, rows[i].text, JCK_EXPECT_RESPONSE);
        int64_t began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_true(scripted_link_ms(&f.s, began) >= SCRIPT_PATIENCE_MS);
        memset((char *)&f.session + rows[i].place, true, sizeof(bool));
        began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.evidence.settled[0], JCK_FENCED);
        assert_true(scripted_link_ms(&f.s, began) < 50);
        end(&f);
    }
}

static void the_credential_of_a_step_takes_the_place_of_the_targets(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.target.credentials[JCK_CREDENTIAL_NONE] = "Authorization:";
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE)->credential = JCK_CREDENTIAL_NONE;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_string_equal(f.s.side.headers[0], "Authorization:");
    end(&f);
}

static void leave_unless_it_shakes_hands(scripted *c, const char *text, bool is_fence)
{
    if (is_fence || strstr(text, "\"m\"") == NULL) {
        script_answer(c, 1, text);
    } else {
        script_end(c, 8000, JRPC_END_EXITED, 1); // it is only just starting
    }
}

static void a_bare_case_meets_a_new_connection_without_a_prelude_or_a_fence(void **state)
{
    (void)state;
    static const jck_expect_kind kinds[] = {JCK_EXPECT_CLOSED, JCK_EXPECT_RESPONSE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        fixture f;
        begin_over(&f, JRPC_TRANSPORT_STDIO);
        f.s.link.learned.starts_us = 6000000;
        f.s.side.on_message = leave_unless_it_shakes_hands;
        f.test_case.bare = true;
        add_send(&f, CALL_OF_ID, kinds[i]);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.s.side.sent_count, 1);
        assert_int_equal(f.evidence.settled[0], JCK_GONE);
        assert_true(f.evidence.process_gone && !f.evidence.orderly);
        assert_int_equal(scripted_link_first(&f.s)->state, JCK_CONNECTION_CLOSED);
        end(&f);
    }
}

// The answer comes as an event beside the exchange, which brings nothing.
static void answer_as_an_event(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_status(c, 1, 202);
    script_answer(c, 40, text);
}

static void an_answer_may_come_as_an_event_beside_its_exchange(void **state)
{
    (void)state;
    fixture f;
    begin_over(&f, JRPC_TRANSPORT_HTTP);
    f.s.target.events_url = "http://h/events";
    f.s.side.exchanges = false; // what is under way is scripted
    f.s.side.on_message = answer_as_an_event;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    assert_int_equal(run(&f, JCK_WATCH_QUIET), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_true(last_of_case(&f)->own_id);
    assert_int_equal(f.evidence.settled[0], JCK_TRANSPORT_END);
    assert_int_equal(f.evidence.settled[1], JCK_TRANSPORT_END);
    end(&f);
}

static void what_happens_to_us_is_the_status_of_the_session(void **state)
{
    (void)state;
    static const struct {
        jrpc_peer_event event;
        bool opening; // while the connection is opened, not while the proof is waited for
        jck_session_status status;
    } rows[] = {
        {JRPC_PEER_INTERRUPTED, true, JCK_SESSION_INTERRUPTED},
        {JRPC_PEER_INTERRUPTED, false, JCK_SESSION_INTERRUPTED},
        {JRPC_PEER_FAULT, true, JCK_SESSION_FAULT},
        {JRPC_PEER_FAULT, false, JCK_SESSION_FAULT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        begin(&f);
        if (rows[i].opening) {
            f.s.side.send_event = rows[i].event;
        } else {
            assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
            script_happen(first_peer(&f), 0, rows[i].event);
        }
        add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), rows[i].status);
        assert_int_equal(f.evidence.count == 0, rows[i].opening);
        end(&f);
    }
}

static void leave(scripted *c, const char *text, bool is_fence)
{
    if (is_fence) {
        script_answer(c, 1, text);
    } else {
        script_end(c, 1, JRPC_END_CLOSED, 0);
    }
}

// The process behind the connection: a shell that does what a row says, and has done it before the
// case begins.
static void run_beside_a_process(fixture *f, char *commands)
{
    static char program[] = "sh";
    static char option[] = "-c";
    static char *argv[4];
    argv[0] = program;
    argv[1] = option;
    argv[2] = commands;
    f->s.target.start = argv;
    assert_int_equal(scripted_link_open(&f->s), JCK_LINK_OK);
    jck_host_end how;
    int64_t soon = jrpc_deadline_in_ms(&f->s.side.clock, 10000);
    assert_true(jck_host_is_gone(&f->s.host, f->s.link.generation, soon, &how));
    assert_int_equal(run(f, JCK_WATCH_FENCES), JCK_SESSION_OK);
}

static void the_end_of_a_shared_process_is_that_of_the_case(void **state)
{
    (void)state;
    static const struct {
        const char *commands;
        bool orderly;
        int value;
    } rows[] = {{"exit 0", true, 0}, {"echo alas >&2; exit 3", false, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char commands[64];
        fixture f;
        (void)snprintf(commands, sizeof commands, "%s", rows[i].commands);
        // Its connection closes …
        begin(&f);
        f.s.side.on_message = leave;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        run_beside_a_process(&f, commands);
        assert_true(f.evidence.process_gone);
        assert_int_equal(f.evidence.end.kind, JRPC_END_EXITED);
        assert_int_equal(f.evidence.end.value, rows[i].value);
        assert_int_equal(f.evidence.orderly, rows[i].orderly);
        assert_true(jrpc_slice_is(f.evidence.stderr_tail, rows[i].value > 0 ? "alas\n" : ""));
        end(&f);
        // … or is left by us.
        begin(&f);
        add_send(&f, "{\"jsonrpc\"", JCK_EXPECT_RESPONSE)->payload.raw = true;
        run_beside_a_process(&f, commands);
        assert_int_equal(f.evidence.left_with_connection, rows[i].orderly);
        assert_int_equal(f.evidence.process_gone, !rows[i].orderly);
        end(&f);
    }
}

// Answers the second part of a message, later than a quiet window lasts.
static void answer_the_rest(scripted *c, const char *text, bool is_fence)
{
    if (is_fence) {
        script_answer(c, 1, text);
    } else if (strchr(text, '}') != NULL) {
        script_say(c, SCRIPT_QUIET_MS + 50, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":\"a\"}");
    }
}

// By itself, the second part is not JSON either.
static void
the_rest_of_a_message_is_waited_for_even_if_text_that_is_not_json_gets_no_answer(void **state)
{
    (void)state;
    fixture f;
    begin_opened(&f, answer_the_rest, NULL);
    f.session.silent_on_parse_error = true;
    add_send(&f, "{\"jsonrpc\":\"2.0\",", JCK_EXPECT_UNSTATED)->payload.raw = true;
    add_send(&f, "\"method\":\"m\",\"id\":\"a\"}\n", JCK_EXPECT_RESPONSE)->payload.raw = true;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), 1);
    end(&f);
}

static void what_a_target_cannot_carry_has_a_reason(void **state)
{
    (void)state;
    static const struct {
        jrpc_transport transport;
        const char *text;
        bool raw;
        bool carried;
    } rows[] = {
        {JRPC_TRANSPORT_STDIO, CALL_OF_ID, false, true},
        {JRPC_TRANSPORT_STDIO, "{\n}", false, false},
        {JRPC_TRANSPORT_STDIO, "{\r}", false, false},
        {JRPC_TRANSPORT_STDIO, "{\n}", true, true},
        {JRPC_TRANSPORT_HTTP, "{\n}", false, true},
        {JRPC_TRANSPORT_HTTP, "{\n}", true, false},
        {JRPC_TRANSPORT_WEBSOCKET, "\"\xC3\xA4\"", false, true},
        {JRPC_TRANSPORT_WEBSOCKET, "\"\xC3\"", false, false},
        {JRPC_TRANSPORT_WEBSOCKET, "${unknown}", false, true}, // it is known when it is sent
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        jck_reason reason = {.code = JCK_REASON_NONE};
        begin_over(&f, rows[i].transport);
        jrpc_arena_init(&f.arena, jrpc_allocator_heap(), 4096);
        jck_variables_init(&f.variables, &f.arena, &f.s.target, NONCE, 1);
        add_send(&f, rows[i].text, JCK_EXPECT_RESPONSE)->payload.raw = rows[i].raw;
        bool carried =
            jck_session_can_carry(&f.session, &f.test_case, &f.variables, &f.arena, &reason);
        assert_int_equal(carried, rows[i].carried);
        assert_int_equal(reason.code, carried ? JCK_REASON_NONE : JCK_REASON_NOT_CARRIED);
        end(&f);
    }
}

static void a_connection_for_one_message_carries_no_second_one(void **state)
{
    (void)state;
    fixture f;
    jck_reason reason = {.code = JCK_REASON_NONE};
    begin(&f);
    jrpc_arena_init(&f.arena, jrpc_allocator_heap(), 4096);
    jck_variables_init(&f.variables, &f.arena, &f.s.target, NONCE, 1);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_UNSTATED);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    f.s.link.learned.use = JCK_USE_MANY;
    assert_true(jck_session_can_carry(&f.session, &f.test_case, &f.variables, &f.arena, &reason));
    f.s.link.learned.use = JCK_USE_ONE;
    assert_false(jck_session_can_carry(&f.session, &f.test_case, &f.variables, &f.arena, &reason));
    assert_int_equal(reason.code, JCK_REASON_NOT_CARRIED);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_refusal_goes_to_the_step_that_can_be_refused),
        cmocka_unit_test(a_late_answer_with_an_id_of_the_case_goes_to_the_step_that_sent_it),
        cmocka_unit_test(a_known_silence_is_not_waited_for),
        cmocka_unit_test(the_credential_of_a_step_takes_the_place_of_the_targets),
        cmocka_unit_test(a_bare_case_meets_a_new_connection_without_a_prelude_or_a_fence),
        cmocka_unit_test(an_answer_may_come_as_an_event_beside_its_exchange),
        cmocka_unit_test(what_happens_to_us_is_the_status_of_the_session),
        cmocka_unit_test(the_end_of_a_shared_process_is_that_of_the_case),
        cmocka_unit_test(
            the_rest_of_a_message_is_waited_for_even_if_text_that_is_not_json_gets_no_answer),
        cmocka_unit_test(what_a_target_cannot_carry_has_a_reason),
        cmocka_unit_test(a_connection_for_one_message_carries_no_second_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
