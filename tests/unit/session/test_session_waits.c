// How long a case waits: for answers to long messages, for asynchronous results, for what may come
// besides, and for what comes after its end.
#include "tests/unit/link/child_group.h"
#include "tests/unit/session/session_test.h"

enum { LONG_BYTES = 60000 };

// A call of so many bytes that reading it may take longer than answering what comes after it.
static char *long_call(void)
{
    char *text = malloc(LONG_BYTES + sizeof CALL_OF_ID);
    assert_non_null(text);
    memset(text, ' ', LONG_BYTES);
    memcpy(text + LONG_BYTES, CALL_OF_ID, sizeof CALL_OF_ID);
    return text;
}

// Reads the patterns of a RECEIVE step that waits so, and adds it.
static void add_receive(fixture *f, jrpc_json_document *patterns, const char *text,
                        const char *within)
{
    jrpc_json_document_init(patterns, jrpc_allocator_heap());
    assert_true(jrpc_json_read(patterns, jrpc_slice_str(text), 10, NULL));
    jck_step *receive = add_step(f, JCK_STEP_RECEIVE);
    receive->patterns = jrpc_json_root(patterns);
    receive->within = jrpc_slice_str(within);
}

static void a_long_message_may_be_overtaken_by_its_fence(void **state)
{
    (void)state;
    fixture f;
    int after_ms = 900;
    char *text = long_call();
    begin_opened(&f, answer_after, &after_ms);
    add_send(&f, text, JCK_EXPECT_RESPONSE);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_int_equal(f.s.link.learned.overtaken, 1);
    // One that is never answered is waited for as long as reading it may take, each time.
    after_ms = 0;
    for (unsigned i = 1; i <= 3; i++) {
        int64_t began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.s.link.learned.waited_in_vain, i);
        assert_true(scripted_link_ms(&f.s, began) >= SCRIPT_REPLY_MS);
    }
    end(&f);
    free(text);
}

static void long_messages_that_are_never_answered_are_waited_for_twice(void **state)
{
    (void)state;
    fixture f;
    int after_ms = 0;
    char *text = long_call();
    begin_opened(&f, answer_after, &after_ms);
    add_send(&f, text, JCK_EXPECT_RESPONSE);
    for (int i = 0; i < 3; i++) {
        int64_t began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.evidence.settled[0], JCK_FENCED);
        assert_int_equal(scripted_link_ms(&f.s, began) >= SCRIPT_REPLY_MS, i < 2);
    }
    assert_int_equal(f.s.link.learned.waited_in_vain, 2);
    end(&f);
    free(text);
}

static void a_long_message_that_may_get_no_answer_is_listened_for(void **state)
{
    (void)state;
    fixture f;
    int after_ms = 400; // several fences are answered before
    char *text = long_call();
    jck_expect alternatives[] = {{.kind = JCK_EXPECT_RESPONSE}, {.kind = JCK_EXPECT_NOTHING}};
    begin_opened(&f, answer_after, &after_ms);
    jck_step *step = add_send(&f, text, JCK_EXPECT_ANY_OF);
    step->expect.alternatives = alternatives;
    step->expect.alternative_count = 2;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_int_equal(f.s.link.learned.late_in_vain, 0);
    after_ms = 0;
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 0);
    assert_int_equal(f.s.link.learned.late_in_vain, 1);
    end(&f);
    free(text);
}

// A batch of so many calls, short enough to be read at once.
static char *many_calls(size_t calls)
{
    static const char call[] = ",{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"${id}\"}";
    const size_t len = sizeof call - 1;
    char *text = malloc(calls * len + 2);
    assert_non_null(text);
    for (size_t i = 0; i < calls; i++) {
        memcpy(text + i * len, call, len);
    }
    text[0] = '[';
    memcpy(text + calls * len, "]", 2);
    return text;
}

// The same as answer_after, for a batch.
static void answer_batch_after(scripted *c, const char *text, bool is_fence)
{
    const int *after_ms = c->of->context;
    if (is_fence) {
        script_answer(c, 1, text);
    } else if (*after_ms > 0) {
        script_say(c, *after_ms, "[]");
    }
}

static void many_messages_may_be_overtaken_by_their_fence(void **state)
{
    (void)state;
    enum { CALLS = 33, EACH_US = 100000 };
    fixture f;
    int after_ms = SCRIPT_REPLY_MS + 2000;
    char *text = many_calls(CALLS);
    begin_opened(&f, answer_batch_after, &after_ms);
    add_send(&f, text, JCK_EXPECT_RESPONSE);
    jck_learn_work(&f.s.link.learned, 1, EACH_US); // so seen with single calls
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    // A target that never answers batches is waited for twice.
    after_ms = 0;
    for (int i = 0; i < 3; i++) {
        int64_t began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 0);
        assert_int_equal(scripted_link_ms(&f.s, began) >= SCRIPT_REPLY_MS, i < 2);
    }
    end(&f);
    free(text);
}

static void what_a_process_still_works_on_is_waited_for(void **state)
{
    (void)state;
    fixture f;
    int after_ms = 500;
    char *text = long_call();
    begin_opened(&f, answer_after, &after_ms);
    add_send(&f, text, JCK_EXPECT_RESPONSE);
    f.s.link.learned.waited_in_vain = 2; // it was believed that such get no answer
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 0);
    f.s.side.process = getpgrp(); // this one works
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
    assert_int_equal(f.evidence.settled[0], JCK_FENCED);
    assert_int_equal(f.s.link.learned.overtaken, 1);
    // One that works on something else is not waited for for ever.
    after_ms = 0;
    f.s.link.learned.overtaken = 0;
    for (unsigned i = 1; i <= 3; i++) {
        int64_t began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.s.link.learned.worked_in_vain, i < 2 ? i : 2);
        assert_int_equal(scripted_link_ms(&f.s, began) * 1000 >= jck_reading_most_us(LONG_BYTES),
                         i <= 2);
    }
    end(&f);
    free(text);
}

// Answers in order: a call after 260 ms, when its fence is out already, and that after it.
static void answer_in_order(scripted *c, const char *text, bool is_fence)
{
    const int *after_ms = c->of->context;
    if (is_fence || *after_ms > 0) {
        script_answer(c, is_fence ? 20 : *after_ms, text);
    }
}

static void a_target_that_answers_long_messages_in_order_is_believed_to(void **state)
{
    (void)state;
    fixture f;
    int after_ms = 260;
    char *text = long_call();
    begin_opened(&f, answer_in_order, &after_ms);
    add_send(&f, text, JCK_EXPECT_RESPONSE);
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), 1);
        assert_int_equal(f.s.link.learned.in_order, i);
    }
    // A first look believes it; a full one waits once for what is missing.
    after_ms = 0;
    static const struct {
        int64_t listen_ms;
        unsigned waited;
        bool long_enough;
    } rows[] = {{SCRIPT_REPLY_MS, 0, false}, {0, 1, true}, {0, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t began = f.s.side.now_us;
        f.s.link.timing.listen_ms = rows[i].listen_ms;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.evidence.settled[0], JCK_FENCED);
        assert_int_equal(f.s.link.learned.waited_in_vain, rows[i].waited);
        assert_int_equal(scripted_link_ms(&f.s, began) >= SCRIPT_REPLY_MS, rows[i].long_enough);
    }
    end(&f);
    free(text);
}

#define NOTE "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}"
#define DONE "{\"jsonrpc\":\"2.0\",\"method\":\"done\"}"

// Answers at once, and sends notes of its own later, one each second.
static void send_notes(scripted *c, const char *text, bool is_fence)
{
    const int *notes = c->of->context;
    script_answer(c, 1, text);
    for (int i = 1; !is_fence && i <= *notes; i++) {
        script_say(c, (int64_t)i * 1000, NOTE);
        if (*notes > 1) {
            script_say(c, (int64_t)i * 1000, "{\"jsonrpc\":\"2.0\",\"method\":\"log\"}");
        }
    }
    if (!is_fence) {
        script_say(c, (int64_t)*notes * 1000 + 50, DONE);
    }
}

// Sends a note, then the answer.
static void answer_after_a_note(scripted *c, const char *text, bool is_fence)
{
    if (!is_fence) {
        script_say(c, 1, NOTE);
    }
    script_answer(c, 2, text);
}

static void asynchronous_results_are_waited_for_until_each_has_come_often_enough(void **state)
{
    (void)state;
    static const struct {
        const char *patterns;
        int notes;
        int64_t ms; // of the whole case, at least
        jck_settled settled;
    } rows[] = {
        {"[{\"method\":\"note\",\"$times\":2},{\"method\":\"done\"}]", 2, 2050, JCK_FENCED},
        {"[{\"method\":\"note\",\"$times\":[1,9]}]", 3, 1000, JCK_FENCED},
        {"[{\"method\":\"note\",\"$times\":3}]", 2, 9000, JCK_FENCED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        int notes = rows[i].notes;
        jrpc_json_document document;
        begin_opened(&f, send_notes, &notes);
        f.s.target.async_ms = 9000;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        add_receive(&f, &document, rows[i].patterns, "async");
        int64_t began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.evidence.settled[1], rows[i].settled);
        assert_true(scripted_link_ms(&f.s, began) >= rows[i].ms);
        assert_true(rows[i].ms == 9000 || scripted_link_ms(&f.s, began) < rows[i].ms + 500);
        end(&f);
        jrpc_json_document_done(&document);
    }
}

static void what_may_come_besides_is_left_time_by_the_proof(void **state)
{
    (void)state;
    fixture f;
    int notes = 1;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(
        &document, JRPC_SLICE("[{\"method\":\"note\"},{\"method\":\"done\",\"$times\":[0,1]}]"), 10,
        NULL));
    begin_opened(&f, send_notes, &notes);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_step(&f, JCK_STEP_RECEIVE)->patterns = jrpc_json_root(&document);
    assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
    assert_int_equal(f.evidence.settled[1], JCK_FENCED);
    assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), 2);
    end(&f);
    jrpc_json_document_done(&document);
}

static void what_is_owed_ends_the_wait_when_all_of_it_has_come(void **state)
{
    (void)state;
    static const struct {
        const char *patterns;
        int64_t ms; // of the whole case, at most
    } rows[] = {
        {"[{\"method\":\"note\",\"id\":{\"$absent\":true},\"$times\":[1,\"*\"]},"
         "{\"id\":\"${id.p}\",\"error\":{}}]",
         200},
        {"[{\"method\":\"note\",\"$times\":[0,\"*\"]},{\"id\":\"${id.p}\",\"error\":{}}]", 200},
        // All that may come has come.
        {"[{\"method\":\"note\",\"$times\":[0,1]},{\"id\":\"${id.p}\",\"error\":{}}]", 40},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(&document, jrpc_slice_str(rows[i].patterns), 10, NULL));
        begin_opened(&f, answer_after_a_note, NULL);
        add_send(&f, "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"${id.p}\"}",
                 JCK_EXPECT_UNSTATED);
        add_step(&f, JCK_STEP_RECEIVE)->patterns = jrpc_json_root(&document);
        int64_t began = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(f.evidence.settled[1], JCK_FENCED);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 1), 2);
        assert_true(scripted_link_ms(&f.s, began) < rows[i].ms);
        end(&f);
        jrpc_json_document_done(&document);
    }
}

static void lingering_hears_what_comes_after_the_case(void **state)
{
    (void)state;
    static const struct {
        int after_ms; // 0: never
        bool ends, heard;
    } rows[] = {{0, false, false}, {150, false, true}, {150, true, true}, {500, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        begin(&f);
        add_send(&f, NOTIFICATION, JCK_EXPECT_NOTHING);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        size_t before = f.evidence.count;
        scripted *c = first_peer(&f);
        if (rows[i].ends) {
            script_end(c, rows[i].after_ms, JRPC_END_SIGNALED, 6);
        } else if (rows[i].after_ms > 0) {
            script_say(c, rows[i].after_ms, NOTE);
        }
        assert_int_equal(
            jck_session_linger(&f.session, &f.test_case, &f.variables, &f.evidence, 300),
            rows[i].heard);
        assert_int_equal(f.evidence.count > before, rows[i].heard && !rows[i].ends);
        assert_int_equal(f.evidence.process_gone, rows[i].ends);
        end(&f);
    }
}

// Answers in order, a fence at once after what precedes it: what comes after the first wait and
// before the fence's answer was not waited for in vain.
static void a_wait_was_in_vain_only_if_what_is_owed_is_missing_for_good(void **state)
{
    (void)state;
    static const struct {
        int after_ms; // 0: never
        uint64_t expired, in_vain;
    } rows[] = {{10, 0, 0}, {SCRIPT_PATIENCE_MS + 10, 1, 0}, {0, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        int after_ms = rows[i].after_ms;
        begin_opened(&f, answer_in_order, &after_ms);
        add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_int_equal(count(&f, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, 0), after_ms > 0);
        assert_int_equal(f.session.timers_expired, rows[i].expired);
        assert_int_equal(jck_session_waits_in_vain(&f.session), rows[i].in_vain);
        end(&f);
    }
}

// A first look, after which the connection is listened to, sees that a process has nothing to do.
static void a_first_look_does_not_wait_for_a_process_that_has_nothing_to_do(void **state)
{
    (void)state;
    int never = 0;
    pid_t idle = start_idle();
    const pid_t processes[] = {idle, 0}; // none is known
    int64_t took_ms[2];
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        fixture f;
        begin_opened(&f, answer_after, &never);
        f.s.side.process = processes[i];
        f.s.link.timing.listen_ms = f.s.link.timing.reply_ms;
        jrpc_json_document patterns;
        add_send(&f, CALL_OF_ID, JCK_EXPECT_UNSTATED);
        add_receive(&f, &patterns, "[{\"id\":1}]", "unprompted");
        int64_t began_us = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        took_ms[i] = scripted_link_ms(&f.s, began_us);
        assert_true(jck_session_waits_in_vain(&f.session) > 0);
        jrpc_json_document_done(&patterns);
        end(&f);
    }
    end_child(idle);
    assert_true(took_ms[0] < took_ms[1]);
    assert_in_range(took_ms[0], 100, SCRIPT_REPLY_MS / 2);
    assert_true(took_ms[1] >= SCRIPT_REPLY_MS);
}

// A step lets the rest of the run pass, until others wait for their turn; that it took long for one
// case does not make it long for the next one.
static void a_long_silence_is_as_long_as_its_own_case_needs(void **state)
{
    (void)state;
    static const struct {
        bool over, next;
        int64_t least_ms, most_ms, took_ms;
    } rows[] = {{false, false, 400, 4000, 4000},
                {true, false, 400, 0, 4000}, // as long as the attempt before
                {true, true, 400, 0, 400}};
    fixture f;
    int after_ms = 1;
    atomic_bool over;
    jrpc_json_document patterns;
    jck_case next = {.id = JRPC_SLICE("a/next")};
    begin_opened(&f, answer_after, &after_ms);
    add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
    add_receive(&f, &patterns, "[]", "rest");
    f.session.rest_is_over = &over;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        atomic_store(&over, rows[i].over);
        f.session.rest_least_ms = rows[i].least_ms;
        f.session.rest_most_ms = rows[i].most_ms;
        f.session.rested = rows[i].next ? &next : f.session.rested;
        int64_t began_us = f.s.side.now_us;
        assert_int_equal(run(&f, JCK_WATCH_FENCES), JCK_SESSION_OK);
        assert_in_range(scripted_link_ms(&f.s, began_us), rows[i].took_ms, rows[i].took_ms + 200);
    }
    jrpc_json_document_done(&patterns);
    end(&f);
}

// Answers each call after so many milliseconds, but none after the first `state` ones.
static void answer_in_time(scripted *c, const char *text, bool is_fence)
{
    const int *limit = c->of->context;
    if (is_fence || *limit == 0 || c->of->state < *limit) {
        script_answer(c, is_fence ? 1 : 60, text);
    }
    c->of->state += is_fence ? 0 : 1;
}

enum { ROUNDS = 40 };

// How many of the rounds a first look, or an attempt alone, sends.
static size_t rounds_run(int *limit, jck_watch watch)
{
    fixture f;
    begin_opened(&f, answer_in_time, (char *)limit);
    for (unsigned i = 0; i < ROUNDS; i++) {
        jck_step *step = add_send(&f, CALL_OF_ID, JCK_EXPECT_RESPONSE);
        step->round = (jck_repetition){.index = i, .count = ROUNDS, .steps = 1};
    }
    assert_int_equal(run(&f, watch), JCK_SESSION_OK);
    size_t sent = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sent += count(&f, JCK_SENT, JCK_MESSAGE_OF_CASE, i);
    }
    end(&f);
    return sent;
}

static void rounds_are_repeated_while_there_is_time_and_answers_come(void **state)
{
    (void)state;
    int all = 0;
    int few = 5;
    assert_in_range(rounds_run(&all, JCK_WATCH_FENCES), 10, ROUNDS - 10);
    assert_int_equal(rounds_run(&all, JCK_WATCH_QUIET), ROUNDS);
    assert_int_equal(rounds_run(&few, JCK_WATCH_FENCES), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_message_may_be_overtaken_by_its_fence),
        cmocka_unit_test(a_long_message_that_may_get_no_answer_is_listened_for),
        cmocka_unit_test(many_messages_may_be_overtaken_by_their_fence),
        cmocka_unit_test(what_a_process_still_works_on_is_waited_for),
        cmocka_unit_test(long_messages_that_are_never_answered_are_waited_for_twice),
        cmocka_unit_test(a_target_that_answers_long_messages_in_order_is_believed_to),
        cmocka_unit_test(asynchronous_results_are_waited_for_until_each_has_come_often_enough),
        cmocka_unit_test(what_may_come_besides_is_left_time_by_the_proof),
        cmocka_unit_test(what_is_owed_ends_the_wait_when_all_of_it_has_come),
        cmocka_unit_test(a_wait_was_in_vain_only_if_what_is_owed_is_missing_for_good),
        cmocka_unit_test(a_long_silence_is_as_long_as_its_own_case_needs),
        cmocka_unit_test(a_first_look_does_not_wait_for_a_process_that_has_nothing_to_do),
        cmocka_unit_test(lingering_hears_what_comes_after_the_case),
        cmocka_unit_test(rounds_are_repeated_while_there_is_time_and_answers_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
