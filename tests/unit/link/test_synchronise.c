// The proof that all is said: the ways that no case over a server takes, and every way to fail.
#include "tests/unit/link/scripted_link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void send_message(scripted_link *f, const char *text)
{
    static const jrpc_manner as_usual = {.chunked = false};
    assert_int_equal(jck_link_send(&f->link, 'a', jrpc_slice_str(text), &as_usual, &f->error),
                     JRPC_PEER_MESSAGE);
}

static void send_twenty_calls(scripted_link *f)
{
    for (int i = 0; i < 20; i++) {
        send_message(f, "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1}");
    }
}

static void many_messages_need_one_proof(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    send_twenty_calls(&f);
    assert_int_equal(scripted_link_first(&f)->state, JCK_CONNECTION_ASKED);
    scripted_notes n = {0};
    size_t missing = 20;
    assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_FENCED);
    assert_int_equal(n.messages, 20);
    assert_int_equal(n.fences, 1);
    assert_int_equal(missing, 0);
    assert_int_equal(scripted_link_first(&f)->state, JCK_CONNECTION_READY);
    scripted_link_end(&f);
}

static void answer_all_but_fences(scripted *c, const char *text, bool is_fence)
{
    if (!is_fence || c->of->state == 0) {
        script_answer(c, 1, text);
    }
}

// A target that answers no fence after the first one.
static void begin_without_fences(scripted_link *f)
{
    scripted_link_begin(f, JRPC_TRANSPORT_STDIO);
    f->side.on_message = answer_all_but_fences;
    assert_int_equal(scripted_link_open(f), JCK_LINK_OK);
    f->side.state = 1;
}

// A target that was slow before is given its time for each message, but not once all that is owed
// has come.
static void a_fence_alone_is_given_the_time_of_little_work(void **state)
{
    (void)state;
    for (size_t owed = 0; owed <= 20; owed += 20) {
        scripted_link f;
        begin_without_fences(&f);
        jck_learn_work(&f.link.learned, 1, 400000);
        send_twenty_calls(&f);
        scripted_notes n = {0};
        size_t missing = owed;
        int64_t began = f.side.now_us;
        assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_MUTE);
        assert_int_equal(n.messages, 20);
        assert_true(scripted_link_ms(&f, began) >= INT64_C(2) * SCRIPT_REPLY_MS);
        assert_int_equal(scripted_link_ms(&f, began) < INT64_C(3) * SCRIPT_REPLY_MS, owed > 0);
        scripted_link_end(&f);
    }
}

// If only the first message was slow, many messages are not given that time each.
static void a_slow_first_message_does_not_count_for_each_of_many(void **state)
{
    (void)state;
    scripted_link f;
    begin_without_fences(&f);
    jck_learn_work(&f.link.learned, 1, 400000);
    for (int i = 0; i < 100; i++) {
        jck_learn_work(&f.link.learned, 1, 1000);
    }
    send_twenty_calls(&f);
    scripted_notes n = {0};
    size_t missing = 0;
    int64_t began = f.side.now_us;
    assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_MUTE);
    assert_true(scripted_link_ms(&f, began) < INT64_C(3) * SCRIPT_REPLY_MS);
    scripted_link_end(&f);
}

// If a target answers a fence promptly, the time before the fence was sent does not count as work.
static void a_wait_before_a_promptly_answered_fence_is_not_work(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    int64_t before_us = f.link.learned.us_per_message;
    send_message(&f, "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}");
    f.side.now_us += 300000;
    scripted_notes n = {0};
    size_t missing = 0;
    assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_FENCED);
    assert_in_range(f.link.learned.us_per_message, 0, before_us + 20000);
    scripted_link_end(&f);
}

// Holds every third answer back until the next message comes.
static void hold_every_third(scripted *c, const char *text, bool is_fence)
{
    static char held[512];
    (void)is_fence;
    if (held[0] != '\0') {
        script_answer(c, 1, held);
        held[0] = '\0';
    }
    if (++c->of->state % 3 == 0) {
        (void)snprintf(held, sizeof held, "%s", text);
    } else {
        script_answer(c, 1, text);
    }
}

static void a_target_that_holds_some_answers_back_is_asked_for_them_sooner_each_time(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    f.side.on_message = hold_every_third;
    int64_t longest[4] = {0};
    for (size_t i = 0; i < 60; i++) {
        scripted_notes n = {0};
        size_t missing = 0;
        int64_t began = f.side.now_us;
        assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_FENCED);
        int64_t ms = scripted_link_ms(&f, began);
        longest[i / 15] = ms > longest[i / 15] ? ms : longest[i / 15];
    }
    assert_true(longest[0] >= 300);
    assert_true(longest[3] <= 50);
    scripted_link_end(&f);
}

// Answers the fence number 2 of a connection only when another one comes.
static void hold_the_second(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (++c->of->state != 2) {
        script_answer(c, 1, text);
    }
}

static void
a_slow_target_is_given_longer_before_a_second_fence_unless_it_is_a_first_look(void **state)
{
    (void)state;
    static const struct {
        int64_t us_per_message, listen_ms;
        int64_t least_ms, most_ms;
    } rows[] = {
        {0, 0, 300, 320},         {100000, 0, 300, 320},    {400000, 0, 800, 820},
        {9000000, 0, 1000, 1020}, {400000, 2000, 300, 320},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
        f.side.on_message = hold_the_second;
        assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
        f.side.state = 1;
        jck_learn_work(&f.link.learned, 1, rows[i].us_per_message);
        f.link.timing.listen_ms = rows[i].listen_ms;
        scripted_notes n = {0};
        size_t missing = 0;
        int64_t began = f.side.now_us;
        assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_FENCED);
        assert_int_equal(n.fences, 2);
        assert_in_range(scripted_link_ms(&f, began), rows[i].least_ms, rows[i].most_ms);
        scripted_link_end(&f);
    }
}

static void every_failure_has_its_result(void **state)
{
    (void)state;
    static const struct {
        jrpc_peer_event sent;
        jrpc_peer_event heard;
        jck_sync_end result;
        jck_connection_state state;
    } rows[] = {
        {JRPC_PEER_TIMEOUT, JRPC_PEER_MESSAGE, JCK_SYNC_UNSENT, JCK_CONNECTION_MUTE},
        {JRPC_PEER_INTERRUPTED, JRPC_PEER_MESSAGE, JCK_SYNC_INTERRUPTED, JCK_CONNECTION_READY},
        {JRPC_PEER_FAULT, JRPC_PEER_MESSAGE, JCK_SYNC_FAULT, JCK_CONNECTION_READY},
        {JRPC_PEER_MESSAGE, JRPC_PEER_INTERRUPTED, JCK_SYNC_INTERRUPTED, JCK_CONNECTION_READY},
        {JRPC_PEER_MESSAGE, JRPC_PEER_FAULT, JCK_SYNC_FAULT, JCK_CONNECTION_READY},
        {JRPC_PEER_MESSAGE, JRPC_PEER_ENDED, JCK_SYNC_ENDED, JCK_CONNECTION_ENDED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
        assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
        f.side.send_event = rows[i].sent;
        if (rows[i].heard != JRPC_PEER_MESSAGE) {
            script_happen(scripted_link_peer(&f), 0, rows[i].heard);
        }
        scripted_notes n = {0};
        size_t missing = 0;
        assert_int_equal(scripted_link_prove(&f, &n, &missing), rows[i].result);
        assert_int_equal(scripted_link_first(&f)->state, rows[i].state);
        scripted_link_end(&f);
    }
}

// Works long on what comes on the first connection after its opening; a new one is answered.
enum { LONG_WORK_MS = 12000 };

static void work_on_the_first(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_answer(c, c->number == 1 && c->state++ > 0 ? LONG_WORK_MS : 1, text);
}

static void an_answer_elsewhere_shows_nothing_while_the_machine_is_busy(void **state)
{
    (void)state;
    static const struct {
        unsigned slowdown;
        bool elastic;
        jck_sync_end result;
    } rows[] = {
        {1, true, JCK_SYNC_MUTE},
        {4, true, JCK_SYNC_MUTE},
        {5, true, JCK_SYNC_FENCED},
        {5, false, JCK_SYNC_MUTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
        f.side.on_message = work_on_the_first;
        assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
        f.link.timing.elastic = rows[i].elastic;
        f.side.slowdown = rows[i].slowdown;
        scripted_notes n = {0};
        size_t missing = 0;
        assert_int_equal(scripted_link_prove(&f, &n, &missing), rows[i].result);
        scripted_link_end(&f);
    }
}

// Answers one message that is owed an answer, then closes.
static void answer_once(scripted *c, const char *text, bool is_fence)
{
    if (is_fence) {
        script_answer(c, 1, text);
        script_end(c, 2, JRPC_END_CLOSED, 0);
    }
}

static void a_fence_is_not_put_off_for_long_while_the_machine_is_busy(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_UNIX);
    f.side.on_message = answer_once;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_int_equal(f.link.learned.use, JCK_USE_ONE);
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    f.link.timing.elastic = true;
    f.side.slowdown = 9;
    send_message(&f, "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}");
    scripted_notes n = {0};
    size_t missing = 0;
    int64_t began = f.side.now_us;
    assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_FENCED);
    assert_true(scripted_link_ms(&f, began) < SCRIPT_REPLY_MS);
    scripted_link_end(&f);
}

static void echo_after_the_opening(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->of->state == 0) {
        script_answer(c, 1, text);
    } else {
        script_say(c, 1, text);
    }
}

static void a_fence_that_comes_back_proves_nothing(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    f.side.on_message = echo_after_the_opening;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    f.side.state = 1;
    scripted_notes n = {0};
    size_t missing = 0;
    assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_MUTE);
    scripted_link_end(&f);
}

static void go_on_and_on(scripted *c, const char *text, bool is_fence)
{
    if (is_fence) {
        script_answer(c, 1, text);
        script_status(c, 2, 200);
        return;
    }
    for (int i = 0; i < 60 && c->of->state == 1; i++) {
        script_say(c, (int64_t)i * 500,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"tick\",\"result\":1,\"id\":1}");
    }
}

static void an_exchange_without_an_end_is_left_or_mute(void **state)
{
    (void)state;
    static const jrpc_manner as_usual = {.chunked = false};
    for (int talks = 0; talks < 2; talks++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_HTTP);
        f.side.on_message = go_on_and_on;
        assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
        f.side.exchanges = false;          // its end does not come by itself
        scripted_link_peer(&f)->count = 0; // nor that of the opening's
        f.side.state = talks;
        assert_int_equal(jck_link_send(&f.link, 'a', JRPC_SLICE("{}"), &as_usual, &f.error),
                         JRPC_PEER_MESSAGE);
        scripted_link_peer(&f)->silent = false;
        scripted_notes n = {0};
        size_t missing = 1;
        int64_t began = f.side.now_us;
        assert_int_equal(scripted_link_prove(&f, &n, &missing),
                         talks ? JCK_SYNC_LEFT : JCK_SYNC_MUTE);
        assert_int_equal(scripted_link_first(&f)->state,
                         talks ? JCK_CONNECTION_SPENT : JCK_CONNECTION_MUTE);
        assert_true(scripted_link_ms(&f, began) <= INT64_C(4) * SCRIPT_REPLY_MS);
        scripted_link_end(&f);
    }
}

static void say_nothing(scripted *c, const char *text, bool is_fence)
{
    (void)c;
    (void)text;
    (void)is_fence;
}

static void an_answer_that_grows_is_waited_for_but_not_without_end(void **state)
{
    (void)state;
    for (int exchanges = 0; exchanges < 2; exchanges++) {
        for (size_t grows = 0; grows <= 10000; grows += 5000) {
            scripted_link f;
            scripted_link_begin(&f, exchanges != 0 ? JRPC_TRANSPORT_HTTP : JRPC_TRANSPORT_STDIO);
            assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
            f.side.on_message = say_nothing;
            static const jrpc_manner as_usual = {.chunked = false};
            assert_int_equal(jck_link_send(&f.link, 'a', JRPC_SLICE("{}"), &as_usual, &f.error),
                             JRPC_PEER_MESSAGE);
            scripted *peer = scripted_link_peer(&f);
            peer->silent = false;
            peer->grows = grows;
            scripted_notes n = {0};
            size_t missing = 1;
            int64_t began = f.side.now_us;
            assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_MUTE);
            assert_int_equal(scripted_link_first(&f)->state, JCK_CONNECTION_MUTE);
            assert_int_equal(scripted_link_first(&f)->unfinished, grows > 0);
            int64_t reply_ms = SCRIPT_REPLY_MS;
            int64_t times = grows > 0 ? 6 : 1;
            assert_true(scripted_link_ms(&f, began) <= times * reply_ms);
            assert_true(grows == 0 || scripted_link_ms(&f, began) >= 2 * reply_ms);
            scripted_link_end(&f);
        }
    }
}

static void what_a_target_needs_for_many_messages_is_learned(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    int64_t each = 0;
    assert_false(jck_takes_too_long(&f.link, 2000, &each));
    f.link.learned.many.work.messages = 20;
    f.link.learned.many.work.us = 3000000;
    assert_true(jck_takes_too_long(&f.link, 2000, &each));
    assert_int_equal(each, 150000);
    assert_false(jck_takes_too_long(&f.link, 20, &each));
    f.link.learned.many.work.us = 200000;
    assert_false(jck_takes_too_long(&f.link, 2000, &each));
    f.link.learned.many.overtaken = 1; // then less time is given
    assert_true(jck_takes_too_long(&f.link, 2000, &each));
    scripted_link_end(&f);
}

static void answer_with_code(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    (void)is_fence;
    script_id(text, id);
    script_error(c, 1, c->of->state, id);
}

static void a_target_that_refuses_fences_is_asked_less(void **state)
{
    (void)state;
    static const struct {
        int code;
        bool slower;
    } rows[] = {{-32601, false}, {-32603, false}, {-32029, true}, {429, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
        assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
        f.side.on_message = answer_with_code;
        f.side.state = rows[i].code;
        scripted_notes n = {0};
        for (int k = 0; k < 9; k++) {
            size_t missing = 0;
            assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_FENCED);
            bool pauses = f.link.sent_us > jrpc_clock_now_us(f.link.clock) + 1000000;
            assert_int_equal(pauses, rows[i].slower && k < 8);
            f.link.sent_us = 0; // no test waits for a turn
        }
        assert_int_equal(f.link.refused, rows[i].slower);
        assert_int_equal(f.link.learned.interval_us, rows[i].slower ? 50000 : 0);
        assert_int_equal(f.link.deferred, rows[i].slower ? 8 : 0);
        scripted_link_end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_grows_is_waited_for_but_not_without_end),
        cmocka_unit_test(a_target_that_refuses_fences_is_asked_less),
        cmocka_unit_test(what_a_target_needs_for_many_messages_is_learned),
        cmocka_unit_test(many_messages_need_one_proof),
        cmocka_unit_test(a_fence_alone_is_given_the_time_of_little_work),
        cmocka_unit_test(a_slow_first_message_does_not_count_for_each_of_many),
        cmocka_unit_test(a_wait_before_a_promptly_answered_fence_is_not_work),
        cmocka_unit_test(a_target_that_holds_some_answers_back_is_asked_for_them_sooner_each_time),
        cmocka_unit_test(
            a_slow_target_is_given_longer_before_a_second_fence_unless_it_is_a_first_look),
        cmocka_unit_test(every_failure_has_its_result),
        cmocka_unit_test(an_answer_elsewhere_shows_nothing_while_the_machine_is_busy),
        cmocka_unit_test(a_fence_is_not_put_off_for_long_while_the_machine_is_busy),
        cmocka_unit_test(a_fence_that_comes_back_proves_nothing),
        cmocka_unit_test(an_exchange_without_an_end_is_left_or_mute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
