// One case into evidence, over a scripted peer: what is written down, and where, when answers,
// fences and other messages come early, late, twice or never.
#include "tests/unit/session/session_test.h"

static void an_answer_and_a_fence_complete_the_evidence(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_FENCE, 0), 1);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_FENCE, 0), 1);
    assert_true(last_of_case(&f)->own_id);
    assert_int_equal(f.evidence.end.kind, JRPC_END_OPEN);
    assert_int_equal(scripted_link_first(&f.s)->state, JCK_CONNECTION_READY);
    assert_int_equal(f.session.timers_expired, 0);
    // The next case uses the same connection.
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.s.side.opened, 1);
    end(&f);
}

// Escaped characters are the same characters: the id is one of ours.
static void answer_escaped(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[512];
    (void)is_fence;
    script_id(text, id);
    (void)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":\"\\u006A%s}",
                   id + 2);
    script_say(c, 1, answer);
}

static void ids_are_compared_as_values(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = answer_escaped;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_true(last_of_case(&f)->own_id);
    assert_int_equal(f.session.timers_expired, 0);
    end(&f);
}

static void answer_fences_only(scripted *c, const char *text, bool is_fence)
{
    if (is_fence) {
        script_answer(c, 1, text);
    }
}

static void silence_is_proved_by_fences_without_waiting(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = answer_fences_only;
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    int64_t began = f.s.side.now_us;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_FENCE, 0), 3); // believed after a few
    assert_true(scripted_link_ms(&f.s, began) < 50);
    // Alone, a quiet window is watched besides.
    began = f.s.side.now_us;
    assert_int_equal(run(&f, JCK_WATCH_QUIET), JCK_SESSION_OK);
    assert_true(f.evidence.isolated);
    assert_true(scripted_link_ms(&f.s, began) >= SCRIPT_QUIET_MS);
    began = f.s.side.now_us;
    assert_int_equal(run(&f, JCK_WATCH_LINGER), JCK_SESSION_OK);
    assert_true(scripted_link_ms(&f.s, began) >= INT64_C(2) * SCRIPT_QUIET_MS);
    end(&f);
}

static void answer_elsewhere(scripted *c, const char *text, bool is_fence)
{
    // The answer to an execution before this one comes with that of this one.
    if (!is_fence) {
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":\"jck-0000abcd-999-0\"}");
    }
    script_answer(c, 2, text);
}

static void what_belongs_to_an_execution_before_is_counted_as_stray(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = answer_elsewhere;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.strays, 1);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    end(&f);
}

// The first call is answered only after the second one.
static void answer_in_the_other_order(scripted *c, const char *text, bool is_fence)
{
    if (!is_fence && c->of->state == 0) {
        c->of->state = 1;
        script_answer(c, 400, text);
        return;
    }
    script_answer(c, is_fence && c->of->state == 1 ? 300 : 500, text);
}

static void a_late_answer_goes_to_the_step_that_it_belongs_to(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = answer_in_the_other_order;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_UNSTATED);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    f.s.side.state = 2; // opening is answered at once
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    f.s.side.state = 0;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), 1);
    assert_int_equal(f.evidence.settled[1], JCK_FENCED);
    end(&f);
}

// Writes Responses to fences that it invents, and answers fences twice.
static void forge(scripted *c, const char *text, bool is_fence)
{
    if (!is_fence) {
        script_say(c, 1,
                   "{\"jsonrpc\":\"2.0\",\"result\":1,"
                   "\"id\":\"jck-fence-0000abcd-0123456789abcdef\"}");
        script_answer(c, 2, text);
        return;
    }
    script_answer(c, 1, text);
    if (c->of->state == 1) {
        script_answer(c, 1, text);
    }
}

static void forged_and_doubled_answers_to_fences_are_facts_of_the_record(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = forge;
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    f.s.side.state = 1;
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    size_t invented = 0;
    size_t again = 0;
    for (size_t i = 0; i < f.evidence.count; i++) {
        const jck_message *message = &f.evidence.messages[i];
        if (message->fence == JCK_FENCE_INVENTED) {
            invented++;
            assert_int_equal(message->role,
                             JCK_MESSAGE_OF_CASE); // a Response that nobody asked for
        }
        again += message->fence == JCK_FENCE_AGAIN;
    }
    assert_int_equal(invented, 1);
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    for (size_t i = 0; i < f.evidence.count; i++) {
        again += f.evidence.messages[i].fence == JCK_FENCE_AGAIN;
    }
    assert_true(again >= 1);
    end(&f);
}

static void lose_what_follows_at_once(scripted *c, const char *text, bool is_fence)
{
    // What comes within 20 ms of a message was in the same read, and is lost.
    int64_t since = c->of->now_us - c->of->busy_until_us;
    c->of->busy_until_us = c->of->now_us;
    if (is_fence && c->of->state == 1 && since < 20000) {
        return;
    }
    script_answer(c, 1, text);
}

static void a_reader_of_whole_reads_gets_its_fence_apart(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = lose_what_follows_at_once;
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    f.s.side.state = 1;
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_true(f.s.link.learned.fence_apart_ms > 0);
    size_t sent = f.s.side.sent_count;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_int_equal(f.s.side.sent_count, sent + 4); // none is lost any more
    end(&f);
}

static void answer_over_http(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->of->state > 0 && c->of->state-- > 0) {
        script_status(c, 1, 429);
        return;
    }
    script_answer(c, 1, text);
    script_status(c, 2, 200);
}

static void over_http_the_end_of_the_exchange_proves_silence(void **state)
{
    (void)state;
    fixture f;
    begin_over(&f, JRPC_TRANSPORT_HTTP);
    f.s.side.on_message = answer_over_http;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
    add_step(&f, JCK_STEP_FENCE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_TRANSPORT_END);
    assert_int_equal(f.evidence.settled[1], JCK_TRANSPORT_END);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_FENCE, 0), 0);
    assert_int_equal(f.session.timers_expired, 0);
    end(&f);
}

static void a_target_that_asks_for_time_gets_it_and_the_message_again(void **state)
{
    (void)state;
    fixture f;
    begin_over(&f, JRPC_TRANSPORT_HTTP);
    f.s.side.on_message = answer_over_http;
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    f.s.side.state = 1;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_TRANSPORT_END);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(f.s.link.deferred, 1);
    assert_true(f.s.link.learned.interval_us > 0);
    end(&f);
}

static void a_step_that_needs_what_an_answer_did_not_bring_ends_the_case_quietly(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_send(&f, "{\"id\":${captured}}", JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[1], JCK_NOT_RUN);
    // In the first step it is the case that is wrong.
    f.test_case.step_count = 0;
    add_send(&f, "{\"id\":${captured}}", JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_FAULT);
    end(&f);
}

static void answer_noisily(scripted *c, const char *text, bool is_fence)
{
    if (!is_fence) {
        script_noise(c, 1, "a log line");
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":[1]}");
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"method\":\"ask\",\"id\":0}");
    }
    if (strstr(text, "\"method\"") != NULL) {
        script_answer(c, 2, text);
    }
}

static void what_a_server_sends_of_its_own_is_recorded_and_its_requests_are_answered(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = answer_noisily;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    jck_step *reply = add_step(&f, JCK_STEP_REPLY);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, JRPC_SLICE("{\"result\":1}"), 10, NULL));
    reply->reply = jrpc_json_root(&document);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[0], JCK_SETTLED);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_NOISE, 0), 1);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 3);
    assert_int_equal(count(&f, JCK_SENT, JCK_MESSAGE_OF_SESSION, 0), 1);
    assert_string_equal(f.s.side.sent[f.s.side.sent_count - 1],
                        "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":0}");
    jrpc_json_document_done(&document);
    end(&f);
}

static void ask_three_times(scripted *c, const char *text, bool is_fence)
{
    if (strstr(text, "\"method\"") == NULL) {
        return; // an answer of ours
    }
    if (!is_fence) {
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"method\":\"next\",\"id\":1}");
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"method\":\"next\",\"id\":2}");
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"method\":\"next\",\"id\":3}");
    }
    script_answer(c, 2, text);
}

static bool was_sent(const fixture *f, const char *text)
{
    for (size_t i = 0; i < f->s.side.sent_count; i++) {
        if (strcmp(f->s.side.sent[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static void requests_get_the_answers_of_the_case_in_turn(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    f.s.side.on_message = ask_three_times;
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(
        &document, JRPC_SLICE("{\"next\":[{\"result\":7},{\"error\":{\"code\":-32001}}]}"), 10,
        NULL));
    f.test_case.requests = jrpc_json_root(&document);
    for (int again = 0; again < 2; again++) { // each case begins with the first answer
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_true(was_sent(&f, "{\"jsonrpc\":\"2.0\",\"result\":7,\"id\":1}"));
        assert_true(was_sent(&f, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32001},\"id\":2}"));
        assert_true(was_sent(&f, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,"
                                 "\"message\":\"Method not found\"},\"id\":3}"));
        script_forget_sent(&f.s.side);
    }
    jrpc_json_document_done(&document);
    end(&f);
}

static void listening_between_cases_hears_what_comes_late(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    assert_false(jck_session_listen(&f.session, 100)); // nothing is open
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    assert_false(jck_session_listen(&f.session, 100));
    scripted *c = first_peer(&f);
    script_say(c, 50, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":\"jck-0000abcd-1-0\"}");
    assert_true(jck_session_listen(&f.session, 100));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_and_a_fence_complete_the_evidence),
        cmocka_unit_test(ids_are_compared_as_values),
        cmocka_unit_test(silence_is_proved_by_fences_without_waiting),
        cmocka_unit_test(what_belongs_to_an_execution_before_is_counted_as_stray),
        cmocka_unit_test(a_late_answer_goes_to_the_step_that_it_belongs_to),
        cmocka_unit_test(forged_and_doubled_answers_to_fences_are_facts_of_the_record),
        cmocka_unit_test(a_reader_of_whole_reads_gets_its_fence_apart),
        cmocka_unit_test(over_http_the_end_of_the_exchange_proves_silence),
        cmocka_unit_test(a_target_that_asks_for_time_gets_it_and_the_message_again),
        cmocka_unit_test(a_step_that_needs_what_an_answer_did_not_bring_ends_the_case_quietly),
        cmocka_unit_test(what_a_server_sends_of_its_own_is_recorded_and_its_requests_are_answered),
        cmocka_unit_test(requests_get_the_answers_of_the_case_in_turn),
        cmocka_unit_test(listening_between_cases_hears_what_comes_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
