// One case into evidence, over a scripted peer: every way in which a connection, or the target
// behind it, can end or fall silent.
#include "tests/unit/session/session_test.h"

static void answer_once_then_die(scripted *c, const char *text, bool is_fence)
{
    if (!is_fence) {
        script_answer(c, 1, text);
        script_end(c, 2, JRPC_END_SIGNALED, 11);
    } else {
        script_answer(c, 1, text);
    }
}

static void a_crash_after_the_answer_is_in_the_record(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = answer_once_then_die;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(f.evidence.settled[0], JCK_GONE);
    assert_int_equal(f.evidence.end.kind, JRPC_END_SIGNALED);
    assert_int_equal(f.evidence.end.value, 11);
    assert_true(f.evidence.process_gone && !f.evidence.orderly);
    assert_true(jrpc_slice_is(f.evidence.stderr_tail, "last words\n"));
    assert_int_equal(scripted_link_first(&f.s)->state, JCK_CONNECTION_CLOSED);
    end(&f);
}

static void leave(scripted *c, const char *text, bool is_fence)
{
    if (is_fence) {
        script_answer(c, 1, text);
    } else {
        script_end(c, 1, JRPC_END_EXITED, c->of->state);
    }
}

static void how_a_process_left_is_orderly_or_not(void **state)
{
    (void)state;
    static const int declared[] = {7};
    static const struct {
        int status;
        bool orderly;
    } rows[] = {{0, true}, {7, true}, {3, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        begin(&f);
        f.s.target.orderly_statuses = declared;
        f.s.target.orderly_status_count = 1;
        f.s.side.on_message = leave;
        f.s.side.state = rows[i].status;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_true(f.evidence.process_gone);
        assert_int_equal(f.evidence.orderly, rows[i].orderly);
        end(&f);
    }
}

static void end_when_we_close(scripted *c)
{
    script_end(c, 1, JRPC_END_EXITED, 3);
}

static void a_child_may_leave_when_its_input_ends(void **state)
{
    (void)state;
    fixture f;
    begin_over(&f, JRPC_TRANSPORT_STDIO);
    f.s.side.on_close_write = end_when_we_close;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_UNSTATED);
    add_step(&f, JCK_STEP_CLOSE)->half = true;
    add_step(&f, JCK_STEP_RECEIVE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_FENCE, 2), 0); // nothing can be sent
    assert_int_equal(scripted_link_first(&f.s)->state, JCK_CONNECTION_CLOSED);
    end(&f);
}

// Answers what it gets first on a connection, and nothing after that.
static void tire(scripted *c, const char *text, bool is_fence)
{
    if (is_fence && c->of->state == 0) {
        script_answer(c, 1, text);
    }
    c->of->state = is_fence && c->number > 1 ? 0 : is_fence ? c->of->state : 1;
    if (c->number > 1 && is_fence) {
        script_answer(c, 1, text);
    }
}

static void mute_on_one_connection_is_stuck(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = tire;
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_MUTE);
    assert_int_equal(f.evidence.muteness, JCK_STUCK);
    assert_int_equal(scripted_link_first(&f.s)->state, JCK_CONNECTION_CLOSED);
    assert_true(f.session.timers_expired > 0);
    end(&f);
}

static void hang(scripted *c, const char *text, bool is_fence)
{
    c->of->state = c->of->state == 1 || !is_fence;
    if (c->of->state == 0) {
        script_answer(c, 1, text);
    }
}

static void mute_everywhere_is_hung(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = hang;
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_MUTE);
    assert_int_equal(f.evidence.muteness, JCK_HUNG);
    // From the start on such a target cannot be opened again.
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_MUTE);
    end(&f);
}

// Works 200 ms on each notification before it goes on with what follows.
static void work(scripted *c, const char *text, bool is_fence)
{
    int64_t *busy_until = &c->of->busy_until_us;
    int64_t start = *busy_until > c->of->now_us ? *busy_until : c->of->now_us;
    size_t notifications = 0;
    for (const char *at = text; (at = strstr(at, "\"method\":\"m\"")) != NULL; at++) {
        notifications++;
    }
    *busy_until = start + (is_fence ? 1000 : (int64_t)notifications * 200000);
    if (is_fence) {
        script_answer(c, (*busy_until - c->of->now_us) / 1000, text);
    }
}

static void a_target_that_still_works_is_not_called_mute(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = work;
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    // Sixty of them in a batch are twelve seconds of work, and an answer is waited for five.
    char batch[60 * 40] = "[";
    for (int i = 0; i < 60; i++) {
        (void)snprintf(batch + strlen(batch), sizeof batch - strlen(batch), "%s%s%s",
                       i > 0 ? "," : "", NOTIFICATION, i == 59 ? "]" : "");
    }
    f.test_case.step_count = 0;
    add_send(&f, batch, JCK_EXPECT_NOTHING);
    int64_t began = f.s.side.now_us;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_true(scripted_link_ms(&f.s, began) >= 12000);
    end(&f);
}

static void a_second_connection_may_be_refused_while_the_first_one_works(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.refuses = JRPC_ERROR_CLOSED;
    f.s.side.refuses_from = 2;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE)->connection = 'b';
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_SINGLE);
    // It is known from then on, and asked again only whether the first one still works.
    size_t sent = f.s.side.sent_count;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_SINGLE);
    assert_int_equal(f.s.side.sent_count, sent + 1);
    end(&f);
}

// Serves all connections except the one with the number *context.
static void leave_one(scripted *c, const char *text, bool is_fence)
{
    const unsigned *unserved = c->of->context;
    (void)is_fence;
    if (c->number != *unserved) {
        script_answer(c, 1, text);
    }
}

static void a_connection_that_is_left_unserved_is_stuck_where_others_are_served(void **state)
{
    (void)state;
    unsigned unserved = 2;
    fixture f;
    begin(&f);
    f.s.side.on_message = leave_one;
    f.s.side.context = &unserved;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE)->connection = 'b';
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[1], JCK_MUTE);
    assert_int_equal(f.evidence.muteness, JCK_STUCK);
    assert_int_equal(f.session.room, 0);
    assert_int_equal(f.session.served, 2);
    end(&f);
}

// It may still be waiting in the queue of a target that serves one connection at a time.
static void a_connection_without_a_fence_does_not_show_that_several_are_served(void **state)
{
    (void)state;
    for (int bare = 0; bare < 2; bare++) {
        fixture f;
        begin(&f);
        f.test_case.bare = bare == 1;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE)->connection = 'b';
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.session.served == 2, bare == 0);
        end(&f);
    }
}

static void a_refused_credential_ends_its_step_alone(void **state)
{
    (void)state;
    for (int refused = 0; refused < 2; refused++) {
        fixture f;
        begin(&f);
        f.s.side.refuses = JRPC_ERROR_CLOSED;
        f.s.side.refuses_from = refused ? 2 : 0; // 0: none
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        jck_step *other = add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        other->connection = 'b';
        other->credential = JCK_CREDENTIAL_FORGED;
        other->shakes_anew = true;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.evidence.settled[1], refused ? JCK_REFUSED : JCK_SETTLED);
        assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_CASE, 1), !refused);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), !refused);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 2), 1);
        // No later case gets the connection of another identity.
        assert_false(jck_connection_is_in_order(jck_link_connection(&f.s.link, 'b')));
        assert_int_equal(f.session.room, 0);
        end(&f);
    }
}

static void a_refused_handshake_is_one_only_if_another_is_accepted(void **state)
{
    (void)state;
    static const char *const headers[] = {"Connection: keep-alive, Upgrade", NULL};
    for (int accepted = 0; accepted < 2; accepted++) {
        fixture f;
        begin(&f);
        f.s.side.refuses = JRPC_ERROR_INVALID;
        f.s.side.refuses_from = accepted ? 0 : 2;
        f.s.side.refuses_handshakes = true;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        jck_step *step = add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        step->connection = 'b';
        step->shakes_anew = true;
        step->handshake = headers;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), accepted ? JCK_SESSION_OK : JCK_SESSION_SINGLE);
        assert_int_equal(f.evidence.settled[1], accepted ? JCK_REFUSED : JCK_NOT_RUN);
        assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_CASE, 1), 0);
        assert_int_equal(f.session.room == 1, !accepted);
        assert_null(f.s.link.handshake);
        end(&f);
    }
}

static void die_then_refuse(scripted *c, const char *text, bool is_fence)
{
    if (c->of->state == 0) {
        script_answer(c, 1, text);
    } else if (!is_fence) {
        script_answer(c, 1, text);
        script_end(c, 2, JRPC_END_RESET, 0);
        c->of->refuses = JRPC_ERROR_CLOSED;
        c->of->refuses_from = 1;
    }
}

static void a_target_that_is_gone_is_not_taken_for_one_of_a_single_connection(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = die_then_refuse;
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    f.s.side.state = 1;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE)->connection = 'b';
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_UNOPENED);
    assert_int_equal(f.session.room, 0);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_UNOPENED);
    end(&f);
}

static void answer_and_close(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_answer(c, 1, text);
    if (strstr(text, "\"id\"") != NULL) {
        script_end(c, 2, JRPC_END_CLOSED, 0);
    }
}

static void one_message_a_connection_is_judged_like_exchanges(void **state)
{
    (void)state;
    fixture f;
    begin_over(&f, JRPC_TRANSPORT_UNIX);
    f.s.side.on_message = answer_and_close;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_step(&f, JCK_STEP_FENCE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.s.link.learned.use, JCK_USE_ONE);
    assert_int_equal(f.evidence.settled[0], JCK_TRANSPORT_END);
    assert_int_equal(f.evidence.settled[2], JCK_TRANSPORT_END);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), 0);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 2), 1);
    // A notification makes it close nothing: a fence does.
    assert_int_equal(f.evidence.settled[1], JCK_FENCED);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_FENCE, 1), 1);
    assert_int_equal(f.evidence.end.kind, JRPC_END_OPEN);
    assert_int_equal(run(&f, JCK_WATCH_QUIET), JCK_SESSION_OK);
    end(&f);
}

// Closes the connection after the first fence, and later only after errors.
static void close_after_errors(scripted *c, const char *text, bool is_fence)
{
    script_answer(c, 1, text);
    if (is_fence) {
        script_end(c, 2, JRPC_END_CLOSED, 0);
    }
}

static void a_connection_that_may_close_after_its_answer_is_not_listened_to_for_long(void **state)
{
    (void)state;
    fixture f;
    begin_over(&f, JRPC_TRANSPORT_UNIX);
    f.s.side.on_message = close_after_errors;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    int64_t began = f.s.side.now_us;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.s.link.learned.use, JCK_USE_ONE);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_true(scripted_link_ms(&f.s, began) < f.s.link.timing.reply_ms);
    end(&f);
}

static void a_send_that_fails_is_a_status_or_a_fact(void **state)
{
    (void)state;
    static const struct {
        jrpc_peer_event event;
        jck_session_status status;
        jck_settled settled;
    } rows[] = {
        {JRPC_PEER_INTERRUPTED, JCK_SESSION_INTERRUPTED, JCK_NOT_RUN},
        {JRPC_PEER_FAULT, JCK_SESSION_FAULT, JCK_NOT_RUN},
        {JRPC_PEER_TIMEOUT, JCK_SESSION_OK, JCK_UNSENT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        begin(&f);
        assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
        f.s.side.send_event = rows[i].event;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), rows[i].status);
        assert_int_equal(f.evidence.settled[0], rows[i].settled);
        end(&f);
    }
}

static void raw_bytes_and_a_close_spend_the_connection(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    add_send(&f, "{\"jsonrpc\"", JCK_EXPECT_RESPONSE)->payload.raw = true;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_FENCE, 0), 0);
    assert_int_equal(scripted_link_first(&f.s)->state, JCK_CONNECTION_CLOSED);
    f.test_case.step_count = 0;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_CLOSED)->manner.close = true;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(scripted_link_first(&f.s)->state, JCK_CONNECTION_CLOSED);
    end(&f);
}

// Answers what was sent once, and fences as a test says.
typedef struct in_step {
    bool answers_fence;
    const char *before; // what else comes before that; NULL: nothing
} in_step;

static void answer_raw(scripted *c, const char *text, bool is_fence)
{
    const in_step *how = c->of->context;
    if (!is_fence) {
        script_say(
            c, 1,
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"m\"},\"id\":\"r\"}");
        return;
    }
    if (how->before != NULL) {
        script_say(c, 1, how->before);
    }
    if (how->answers_fence) {
        script_answer(c, 2, text);
    }
}

static void a_process_whose_frames_we_wrote_serves_the_next_case_if_it_is_in_step(void **state)
{
    (void)state;
    const struct {
        jrpc_transport transport;
        in_step how;
        bool bare;
        jck_connection_state after;
    } rows[] = {
        {JRPC_TRANSPORT_STDIO, {true, NULL}, false, JCK_CONNECTION_READY},
        {JRPC_TRANSPORT_STDIO, {false, NULL}, false, JCK_CONNECTION_CLOSED},
        {JRPC_TRANSPORT_STDIO,
         {true, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":null}"},
         false,
         JCK_CONNECTION_CLOSED},
        {JRPC_TRANSPORT_STDIO,
         {true, "{\"jsonrpc\":\"2.0\",\"method\":\"log\"}"},
         false,
         JCK_CONNECTION_READY},
        {JRPC_TRANSPORT_STDIO, {true, NULL}, true, JCK_CONNECTION_CLOSED},
        {JRPC_TRANSPORT_TCP, {true, NULL}, false, JCK_CONNECTION_CLOSED}, // it costs little there
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        in_step how = rows[i].how;
        begin_over(&f, rows[i].transport);
        f.test_case.bare = rows[i].bare;
        if (!rows[i].bare) {
            assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
        }
        f.s.side.on_message = answer_raw;
        f.s.side.context = &how;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE)->payload.raw = true;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(scripted_link_first(&f.s)->state, rows[i].after);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
        end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_after_the_answer_is_in_the_record),
        cmocka_unit_test(how_a_process_left_is_orderly_or_not),
        cmocka_unit_test(a_child_may_leave_when_its_input_ends),
        cmocka_unit_test(mute_on_one_connection_is_stuck),
        cmocka_unit_test(mute_everywhere_is_hung),
        cmocka_unit_test(a_target_that_still_works_is_not_called_mute),
        cmocka_unit_test(a_second_connection_may_be_refused_while_the_first_one_works),
        cmocka_unit_test(a_connection_that_is_left_unserved_is_stuck_where_others_are_served),
        cmocka_unit_test(a_connection_without_a_fence_does_not_show_that_several_are_served),
        cmocka_unit_test(a_refused_credential_ends_its_step_alone),
        cmocka_unit_test(a_refused_handshake_is_one_only_if_another_is_accepted),
        cmocka_unit_test(a_target_that_is_gone_is_not_taken_for_one_of_a_single_connection),
        cmocka_unit_test(one_message_a_connection_is_judged_like_exchanges),
        cmocka_unit_test(a_connection_that_may_close_after_its_answer_is_not_listened_to_for_long),
        cmocka_unit_test(a_send_that_fails_is_a_status_or_a_fact),
        cmocka_unit_test(a_process_whose_frames_we_wrote_serves_the_next_case_if_it_is_in_step),
        cmocka_unit_test(raw_bytes_and_a_close_spend_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
