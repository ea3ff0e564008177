// Opening a connection: every result, and what is learned of the target on the way.
#include "tests/unit/link/scripted_link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_target_that_answers_is_open_and_in_order(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_int_equal(scripted_link_first(&f)->state, JCK_CONNECTION_READY);
    assert_int_equal(f.link.learned.use, JCK_USE_MANY);
    assert_int_equal(f.link.opened, 1);
    assert_int_equal(f.side.sent_count, 2); // the first fence, and one more to see that it goes on
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK); // open already: nothing is sent
    assert_int_equal(f.side.sent_count, 2);
    // Another connection of the same target is not asked twice.
    assert_int_equal(jck_link_open(&f.link, 'b', NULL), JCK_LINK_OK);
    assert_int_equal(f.side.sent_count, 3);
    assert_true(jck_link_answers(&f.link, 'b'));
    assert_true(jck_link_answers_elsewhere(&f.link));
    scripted_link_end(&f);
}

static void answer_very_late(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_answer(c, SCRIPT_START_MS + 3000, text);
}

static void a_child_that_was_seen_to_start_slowly_gets_more_time(void **state)
{
    (void)state;
    const struct {
        jrpc_transport transport;
        int64_t starts_ms;
        jck_link_status status;
    } rows[] = {
        {JRPC_TRANSPORT_STDIO, 0, JCK_LINK_MUTE},
        {JRPC_TRANSPORT_STDIO, 9000, JCK_LINK_OK},
        {JRPC_TRANSPORT_TCP, 9000, JCK_LINK_MUTE}, // there it is the connection that is slow
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, rows[i].transport);
        f.link.learned.starts_us = rows[i].starts_ms * 1000;
        f.side.on_message = answer_very_late;
        assert_int_equal(scripted_link_open(&f), rows[i].status);
        scripted_link_end(&f);
    }
}

static void on_a_busy_machine_starting_may_take_longer(void **state)
{
    (void)state;
    static const struct {
        unsigned slowdown;
        int64_t start_ms; // what the user allows; 0: nothing was said
        bool elastic;
        jck_link_status status;
    } rows[] = {
        {1, 0, true, JCK_LINK_MUTE},
        {6, 0, true, JCK_LINK_OK},
        {6, 0, false, JCK_LINK_MUTE},
        {6, SCRIPT_START_MS, true, JCK_LINK_MUTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
        f.link.timing.elastic = rows[i].elastic;
        f.target.start_ms = rows[i].start_ms;
        f.side.slowdown = rows[i].slowdown;
        f.side.on_message = answer_very_late;
        assert_int_equal(scripted_link_open(&f), rows[i].status);
        scripted_link_end(&f);
    }
}

static void a_refusal_is_said_as_it_is(void **state)
{
    (void)state;
    static const struct {
        jrpc_error_code code;
        jck_link_status status;
    } rows[] = {
        {JRPC_ERROR_CLOSED, JCK_LINK_UNOPENED},
        {JRPC_ERROR_TIMEOUT, JCK_LINK_UNOPENED},
        {JRPC_ERROR_INTERRUPTED, JCK_LINK_INTERRUPTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
        f.side.refuses = rows[i].code;
        f.side.refuses_from = 1;
        assert_int_equal(scripted_link_open(&f), rows[i].status);
        assert_int_equal(f.error.code, rows[i].code);
        assert_int_equal(scripted_link_first(&f)->state, JCK_CONNECTION_CLOSED);
        scripted_link_end(&f);
    }
}

static void silence(scripted *c, const char *text, bool is_fence)
{
    (void)c;
    (void)text;
    (void)is_fence;
}

static void a_target_that_says_nothing_is_mute_after_its_time(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    f.side.on_message = silence;
    int64_t began = f.side.now_us;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_MUTE);
    assert_true(scripted_link_ms(&f, began) >= SCRIPT_START_MS);
    assert_true(scripted_link_ms(&f, began) < SCRIPT_START_MS + 2000);
    assert_non_null(strstr(f.error.message, "answered no call"));
    assert_true(f.side.sent_count > 2); // every style of fence was tried
    scripted_link_end(&f);
}

// Serves the connections with odd numbers only.
static void serve_every_other(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->number % 2 == 1) {
        script_answer(c, 1, text);
    }
}

static void a_target_that_was_open_before_is_not_given_time_to_start(void **state)
{
    (void)state;
    static const struct {
        int64_t least_ms, most_ms;
        jck_link_status status;
    } rows[] = {
        {3000, 4000, JCK_LINK_OK},                     // unserved once, then served
        {300, 1000, JCK_LINK_OK},                      // the second time it is known to help
        {300 + SCRIPT_START_MS, 17000, JCK_LINK_MUTE}, // silent from now on: all its time
    };
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    f.side.on_message = serve_every_other;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t began = f.side.now_us;
        jck_link_drop(&f.link);
        if (rows[i].status == JCK_LINK_MUTE) {
            f.side.on_message = silence;
        }
        assert_int_equal(scripted_link_open(&f), rows[i].status);
        assert_in_range(scripted_link_ms(&f, began), rows[i].least_ms, rows[i].most_ms);
    }
    scripted_link_end(&f);
}

static void answer_with_headers(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->framing == JRPC_FRAMING_CONTENT_LENGTH) {
        script_answer(c, 1, text);
    }
}

static void answer_without_end(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->framing == JRPC_FRAMING_CONCATENATED) {
        script_answer(c, 1, text);
    }
}

static void a_silent_target_is_tried_in_the_other_framing(void **state)
{
    (void)state;
    static const struct {
        jrpc_transport transport;
        bool given, tried;
        void (*on_message)(scripted *c, const char *text, bool is_fence);
        const char *advice;
        int64_t most_ms;
    } rows[] = {
        {JRPC_TRANSPORT_STDIO, false, true, answer_with_headers, "add --framing content-length",
         5000},
        {JRPC_TRANSPORT_TCP, false, true, answer_with_headers, "add --framing content-length",
         5000},
        {JRPC_TRANSPORT_STDIO, false, true, answer_without_end, "add --framing concatenated", 8000},
        {JRPC_TRANSPORT_STDIO, true, false, answer_with_headers, "add --framing", 5000},
        {JRPC_TRANSPORT_WEBSOCKET, false, false, answer_with_headers, "add --framing", 5000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, rows[i].transport);
        f.target.framing_given = rows[i].given;
        f.side.on_message = rows[i].on_message;
        int64_t began = f.side.now_us;
        assert_int_equal(scripted_link_open(&f), JCK_LINK_MUTE);
        assert_int_equal(f.link.opening.framed, rows[i].tried);
        assert_int_equal(scripted_link_ms(&f, began) < rows[i].most_ms, rows[i].tried);
        assert_int_equal(strstr(f.error.message, rows[i].advice) != NULL, rows[i].tried);
        scripted_link_end(&f);
    }
}

static void echo(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_say(c, 1, text);
}

static void flood(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    static char much[JCK_FLOOD_BYTES / 2 + 2];
    memset(much, 'x', sizeof much - 1);
    script_noise(c, 1, much);
    script_noise(c, 1, much);
}

static void close_at_once(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_end(c, 1, JRPC_END_EXITED, 3);
}

static void interrupt(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_happen(c, 1, JRPC_PEER_INTERRUPTED);
}

static void fail_us(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_happen(c, 1, JRPC_PEER_FAULT);
}

static void log_a_line(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_say(c, 1, "Content-Length: 2");
}

static void every_other_end_of_an_opening_has_its_result(void **state)
{
    (void)state;
    static const struct {
        void (*on_message)(scripted *, const char *, bool);
        jck_link_status status;
        const char *words;
    } rows[] = {
        {echo, JCK_LINK_ECHOES, "sends back"},
        {flood, JCK_LINK_FLOODS, "writes without end"},
        {close_at_once, JCK_LINK_UNOPENED, "exited with status 3"},
        {interrupt, JCK_LINK_INTERRUPTED, ""},
        {fail_us, JCK_LINK_FAULT, ""},
        {log_a_line, JCK_LINK_MUTE, "--framing content-length"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
        f.side.on_message = rows[i].on_message;
        assert_int_equal(scripted_link_open(&f), rows[i].status);
        assert_int_equal(f.link.opening.status, rows[i].status);
        if (strstr(f.error.message, rows[i].words) == NULL) {
            fail_msg("%s: %s", rows[i].words, f.error.message);
        }
        assert_int_equal(scripted_link_first(&f)->state, JCK_CONNECTION_CLOSED);
        scripted_link_end(&f);
    }
}

static void a_send_that_fails_ends_the_opening(void **state)
{
    (void)state;
    static const struct {
        jrpc_peer_event event;
        jck_link_status status;
    } rows[] = {
        {JRPC_PEER_INTERRUPTED, JCK_LINK_INTERRUPTED},
        {JRPC_PEER_FAULT, JCK_LINK_FAULT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
        f.side.send_event = rows[i].event;
        assert_int_equal(scripted_link_open(&f), rows[i].status);
        scripted_link_end(&f);
    }
}

// Calls of methods that it does not know are dropped, and so is what lacks params.
static void answer_known_calls(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strstr(text, "\"echo\"") != NULL) {
        script_answer(c, 1, text);
    }
}

static void a_target_that_answers_known_methods_only_is_asked_one_of_them(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    f.side.on_message = answer_known_calls;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_string_equal(scripted_link_first(&f)->fence.method, "\"echo\"");
    // The next connection begins with what was answered.
    size_t before = f.side.sent_count;
    assert_int_equal(jck_link_open(&f.link, 'b', NULL), JCK_LINK_OK);
    assert_int_equal(f.side.sent_count, before + 1);
    scripted_link_end(&f);
}

static void answer_late(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_answer(c, 4000, text);
}

static void the_style_that_is_answered_first_is_the_one_that_is_kept(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    f.side.on_message = answer_late; // it is only just starting: all fences are answered in the end
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_int_equal(f.link.learned.fence_style, 0);
    assert_false(scripted_link_first(&f)->fence.with_params);
    scripted_link_end(&f);
}

static void answer_without_id(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_say(c, 1,
               "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"m\"},\"id\":null}");
}

static void answers_without_an_id_are_recognized_by_their_form(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    f.side.on_message = answer_without_id;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_true(scripted_link_first(&f)->fence.by_form);
    scripted_link_end(&f);
}

static void answer_and_close(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_answer(c, 1, text);
    script_end(c, 2, JRPC_END_CLOSED, 0);
}

static void a_target_that_closes_after_its_answer_takes_one_message_a_connection(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_UNIX);
    f.side.on_message = answer_and_close;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_int_equal(f.link.learned.use, JCK_USE_ONE);
    assert_true(jck_link_exchanges(&f.link));
    assert_int_equal(scripted_link_first(&f)->state, JCK_CONNECTION_READY);
    assert_int_equal(f.side.opened, 2); // the one on hand is fresh: nothing was sent on it
    size_t before = f.side.sent_count;
    assert_int_equal(jck_link_open(&f.link, 'b', NULL), JCK_LINK_OK);
    assert_int_equal(f.side.sent_count, before);
    assert_true(jck_link_answers_elsewhere(&f.link)); // there a fence is asked for
    assert_int_equal(f.side.sent_count, before + 1);
    scripted_link_end(&f);
}

static void serve_known_only(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strstr(text, "\"subtract\"") != NULL) {
        char id[128];
        char answer[256];
        script_id(text, id);
        (void)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"result\":19,\"id\":%s}", id);
        script_say(c, 1, answer);
    }
    script_status(c, 2, strstr(text, "\"subtract\"") != NULL ? 200 : 500);
}

static void over_http_a_failing_unknown_method_is_not_the_end(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_HTTP);
    f.side.on_message = serve_known_only;
    int64_t began = f.side.now_us;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_string_equal(scripted_link_first(&f)->fence.method, "\"subtract\"");
    assert_true(scripted_link_ms(&f, began) < 1000); // the end of an exchange needs no waiting
    scripted_link_end(&f);
}

static void refuse_all(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_status(c, 1, 401);
}

static void over_http_the_status_is_the_reason(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_HTTP);
    f.side.on_message = refuse_all;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_MUTE);
    assert_int_equal(f.link.opening.http_status, 401);
    assert_non_null(strstr(f.error.message, "credentials"));
    scripted_link_end(&f);
}

static void greet_with_a_mark(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    (void)is_fence;
    script_id(text, id);
    (void)snprintf(answer, sizeof answer, "%s{\"result\":1,\"id\":%s}",
                   c->of->state == 0 ? "\xEF\xBB\xBF" : "", id);
    c->of->state = 1;
    script_say(c, 1, answer);
}

static void what_came_while_opening_is_kept(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    f.side.on_message = greet_with_a_mark;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    const jck_evidence *record = &f.link.opening.record;
    assert_true(record->count >= 2);
    assert_int_equal(record->messages[0].direction, JCK_SENT);
    assert_int_equal(record->messages[1].direction, JCK_RECEIVED);
    assert_int_equal(record->messages[1].fence, JCK_FENCE_ANSWER);
    assert_memory_equal(record->messages[1].bytes.ptr, "\xEF\xBB\xBF{", 4);
    scripted_link_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_that_answers_is_open_and_in_order),
        cmocka_unit_test(a_child_that_was_seen_to_start_slowly_gets_more_time),
        cmocka_unit_test(on_a_busy_machine_starting_may_take_longer),
        cmocka_unit_test(a_refusal_is_said_as_it_is),
        cmocka_unit_test(a_target_that_says_nothing_is_mute_after_its_time),
        cmocka_unit_test(a_target_that_was_open_before_is_not_given_time_to_start),
        cmocka_unit_test(a_silent_target_is_tried_in_the_other_framing),
        cmocka_unit_test(every_other_end_of_an_opening_has_its_result),
        cmocka_unit_test(a_send_that_fails_ends_the_opening),
        cmocka_unit_test(a_target_that_answers_known_methods_only_is_asked_one_of_them),
        cmocka_unit_test(the_style_that_is_answered_first_is_the_one_that_is_kept),
        cmocka_unit_test(answers_without_an_id_are_recognized_by_their_form),
        cmocka_unit_test(a_target_that_closes_after_its_answer_takes_one_message_a_connection),
        cmocka_unit_test(over_http_a_failing_unknown_method_is_not_the_end),
        cmocka_unit_test(over_http_the_status_is_the_reason),
        cmocka_unit_test(what_came_while_opening_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
