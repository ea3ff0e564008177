// First looks, which are short once the server is known to be fast, and what the rest of the time
// brings: from the side, or when the case is run alone.
#include "tests/unit/run/scripted_run.h"

// Batches of one element that is not a Request; each is a case.
static bool is_odd(const char *text)
{
    static const char *const odd[] = {"[1]", "[null]", "[\"foo\"]", "[true]", "[0]"};
    bool is = false;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        is = is || strcmp(text, odd[i]) == 0;
    }
    return is;
}

// Later than a first look waits, and within the full time: after a fence, and before it.
enum { NEVER, LATER = RUN_QUIET_MS - 10, BUSY = 900, A_WHILE = 600, LONG = 1500 };

static void answer_odd_ones(scripted *c, int64_t after_ms, const char *text)
{
    if (!is_odd(text)) {
        run_answer(c, 1, text);
    } else if (after_ms != NEVER) {
        run_answer(c, after_ms, text);
    }
}

static void never_answer_odd_ones(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    answer_odd_ones(c, NEVER, text);
}

static void answer_odd_ones_later(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    answer_odd_ones(c, LATER, text);
}

// Works on several things at once: what follows is answered first.
static void answer_odd_ones_much_later(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    answer_odd_ones(c, LONG, text);
}

static void log_odd_ones(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (is_odd(text)) {
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":[\"odd\"]}");
    } else {
        run_answer(c, 1, text);
    }
}

static void log_odd_ones_and_answer_them_much_later(scripted *c, const char *text, bool is_fence)
{
    log_odd_ones(c, text, is_fence);
    if (is_odd(text)) {
        run_answer(c, LONG, text);
    }
}

// Works on one thing at a time: what follows has to wait for it.
static void work_for(scripted *c, int64_t work_ms, const char *text)
{
    int64_t start = c->state > 0 ? (int64_t)c->state * 1000 : c->of->now_us;
    start = start > c->of->now_us ? start : c->of->now_us;
    int64_t done = start + work_ms * 1000;
    c->state = (int)(done / 1000);
    run_answer(c, (done - c->of->now_us) / 1000, text);
}

static void be_busy_with_odd_ones(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    work_for(c, is_odd(text) ? BUSY : 1, text);
}

static void stop_at_odd_ones(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    c->state = c->state || is_odd(text);
    if (!c->state) {
        run_answer(c, 1, text);
    }
}

static void whatever_way_it_is_looked_at_the_verdict_is_that_of_the_full_time(void **state)
{
    (void)state;
    static const struct {
        run_behaviour *behaviour;
        jrpc_transport transport;
        const char *outcome;
    } rows[] = {
        {never_answer_odd_ones, JRPC_TRANSPORT_TCP, "fail"},
        {never_answer_odd_ones, JRPC_TRANSPORT_STDIO, "fail"},
        {answer_odd_ones_later, JRPC_TRANSPORT_TCP, "pass"},
        {answer_odd_ones_later, JRPC_TRANSPORT_STDIO, "pass"},
        {answer_odd_ones_much_later, JRPC_TRANSPORT_TCP, "pass"},
        {answer_odd_ones_much_later, JRPC_TRANSPORT_STDIO, "pass"},
        {log_odd_ones_and_answer_them_much_later, JRPC_TRANSPORT_TCP, "pass"},
        {log_odd_ones_and_answer_them_much_later, JRPC_TRANSPORT_STDIO, "pass"},
        {be_busy_with_odd_ones, JRPC_TRANSPORT_TCP, "pass"},
        {be_busy_with_odd_ones, JRPC_TRANSPORT_STDIO, "pass"},
        {stop_at_odd_ones, JRPC_TRANSPORT_TCP, "stuck"},
        {stop_at_odd_ones, JRPC_TRANSPORT_STDIO, "hang"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static scripted_run run;
        run_begin(&run, rows[i].transport);
        GO_ON(&run, rows[i].behaviour, "call/", "id/", "batch/", "invalid/");
        assert_int_equal(run.result.end, JCK_RUN_FINISHED);
        size_t failed = run.result.judged - run.result.counts[JCK_OUTCOME_PASS] -
                        run.result.counts[JCK_OUTCOME_OBSERVE];
        bool right = strcmp(rows[i].outcome, "pass") == 0;
        assert_int_equal(failed > 0, !right);
        assert_string_equal(run_reported(&run, "batch/only-number")->outcome, rows[i].outcome);
        static const char *const others[] = {"batch/only-null", "batch/only-true"};
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            bool passes = strcmp(run_reported(&run, others[k])->outcome, "pass") == 0;
            assert_int_equal(passes, right);
        }
        assert_string_equal(run_reported(&run, "batch/empty")->outcome, "pass");
        run_end(&run);
    }
}

// One silence of a kind is looked at alone, and the rest of its time passes while other cases run.
// It makes no difference if the server also sends a notification for each such message.
static void silences_of_one_kind_are_waited_for_together(void **state)
{
    (void)state;
    static const char *const odd[] = {"batch/only-number", "batch/only-null", "batch/only-true",
                                      "batch/only-zero"};
    static run_behaviour *const silent[] = {never_answer_odd_ones, log_odd_ones};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        static scripted_run run;
        size_t attempts = 0;
        run_begin(&run, JRPC_TRANSPORT_STDIO);
        GO_ON(&run, silent[i], "call/", "id/", "batch/", "invalid/");
        for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++) {
            assert_string_not_equal(run_reported(&run, odd[k])->outcome, "pass");
            attempts += run_reported(&run, odd[k])->attempts;
        }
        assert_in_range(attempts, 0, 2);
        assert_in_range(run.side.now_us, 0, INT64_C(2500) * RUN_REPLY_MS);
        run_end(&run);
    }
}

// If the user has set no time, a server that was seen to answer soon is not waited for as long as
// any other. What comes within the shorter time is never missed.
enum { SHORTER_MS = 700, IN_TIME = 600 };

static void answer_odd_ones_in_time(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    answer_odd_ones(c, IN_TIME, text);
}

static void a_server_that_answers_soon_is_not_waited_for_as_long(void **state)
{
    (void)state;
    static run_behaviour *const behaviours[] = {never_answer_odd_ones, never_answer_odd_ones,
                                                answer_odd_ones_in_time};
    int64_t took_us[2] = {0, 0};
    for (size_t i = 0; i < sizeof behaviours / sizeof behaviours[0]; i++) {
        static scripted_run run;
        run_begin(&run, JRPC_TRANSPORT_STDIO);
        run.options.timing.reply_least_ms = i == 0 ? 0 : SHORTER_MS;
        GO_ON(&run, behaviours[i], "call/", "id/", "batch/", "invalid/");
        bool silent = behaviours[i] == never_answer_odd_ones;
        assert_string_equal(run_reported(&run, "batch/only-number")->outcome,
                            silent ? "fail" : "pass");
        if (silent) {
            took_us[i] = run.side.now_us;
        }
        run_end(&run);
    }
    assert_true(took_us[0] - took_us[1] > INT64_C(900) * (RUN_REPLY_MS - SHORTER_MS));
}

// The one call that waits for its answer before anything else is sent. It keeps its plain id, so an
// answer that only the fence of a first look brought is attributed to nothing, and the full time
// decides.
static bool is_unprompted(const char *text)
{
    return strstr(text, "\"params\": {\"n\": 1}, \"id\": 1}") != NULL;
}

static void answer_others_only(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (!is_unprompted(text)) {
        run_answer(c, 1, text);
    }
}

static void take_long_without_a_prompt(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    run_answer(c, is_unprompted(text) ? LONG : 1, text);
}

static void be_busy_without_a_prompt(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    work_for(c, is_unprompted(text) ? LONG : 1, text);
}

// Its answer and that of the fence come within the time of a first look for the fence.
static void work_a_while_without_a_prompt(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    work_for(c, is_unprompted(text) ? A_WHILE : 1, text);
}

static void hold_the_answer_until_prompted(scripted *c, const char *text, bool is_fence)
{
    static char held[512];
    if (is_unprompted(text)) {
        (void)snprintf(held, sizeof held, "%s", text);
        c->state = 1;
        return;
    }
    if (c->state == 1 && is_fence) {
        c->state = 0;
        run_answer(c, 1, held);
    }
    run_answer(c, 1, text);
}

static void an_answer_that_comes_unprompted_within_the_full_time_is_never_missed(void **state)
{
    (void)state;
    static const struct {
        run_behaviour *behaviour;
        const char *outcome;
    } rows[] = {
        {answer_others_only, "fail"},
        {take_long_without_a_prompt, "pass"},
        {be_busy_without_a_prompt, "pass"},
        {work_a_while_without_a_prompt, "pass"},
        {hold_the_answer_until_prompted, "fail"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static scripted_run run;
        run_begin(&run, JRPC_TRANSPORT_STDIO);
        GO_ON(&run, rows[i].behaviour, "call/", "id/", "batch/", "invalid/",
              "alone/unprompted-call");
        assert_int_equal(run.result.end, JCK_RUN_FINISHED);
        assert_string_equal(run_reported(&run, "alone/unprompted-call")->outcome, rows[i].outcome);
        run_end(&run);
    }
}

// Each answer takes so long that several workers pay off.
static void take_time(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    run_answer(c, 30, text);
}

static void workers_that_are_not_let_in_leave_the_cases_to_the_first(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_TCP);
    run.options.jobs = 0;
    run.options.discover = true;
    run.side.refuses = JRPC_ERROR_CLOSED;
    run.side.refuses_from = 2;
    GO_ON(&run, take_time, "call/", "batch/", "id/");
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    assert_true(run.result.conformant);
    assert_true(run.result.judged > 60);
    assert_int_equal(run.side.opened, 1);
    assert_true(run.side.refused > 1); // others did ask
    run_end(&run);
}

// Over HTTP: at one message the session is over, and no longer known.
static void end_the_session(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->of->state++ == 20) {
        script_status(c, 1, 404);
        return;
    }
    run_answer(c, 1, text);
    script_status(c, 2, 200);
}

static void a_session_that_the_server_ended_is_begun_anew(void **state)
{
    (void)state;
    static jck_capture capture = {.name = JRPC_SLICE_INIT("session"),
                                  .from = JRPC_SLICE_INIT("header:Session-Id")};
    static jck_step prelude = {
        .kind = JCK_STEP_SEND,
        .connection = 'a',
        .payload = {.kind = JCK_PAYLOAD_TEXT,
                    .text = JRPC_SLICE_INIT(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"id\":\"${id}\"}")},
        .expect = {.kind = JCK_EXPECT_ANYTHING},
        .captures = &capture,
        .capture_count = 1};
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_HTTP);
    run.target.prelude = &prelude;
    run.target.prelude_count = 1;
    GO_ON(&run, end_the_session, "call/", "batch/");
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    assert_true(run.result.conformant);
    assert_int_equal(run.result.sessions_lost, 1);
    run_end(&run);
}

static void be_interrupted(scripted *c, const char *text, bool is_fence)
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

static void what_happens_to_us_at_the_first_opening_ends_the_run(void **state)
{
    (void)state;
    static const struct {
        run_behaviour *behaviour;
        jck_run_end end;
    } rows[] = {{be_interrupted, JCK_RUN_INTERRUPTED}, {fail_us, JCK_RUN_FAULT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static scripted_run run;
        GO(&run, rows[i].behaviour, "call/");
        assert_int_equal(run.result.end, rows[i].end);
        assert_int_equal(run.count, 0);
        run_end(&run);
    }
}

static bool is_json(const char *text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool is = jrpc_json_read(&document, jrpc_slice_str(text), SCRIPT_DEPTH, NULL);
    jrpc_json_document_done(&document);
    return is;
}

// Text that is not JSON is answered much later than what follows.
static void answer_broken_text_much_later(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    run_answer(c, is_json(text) ? 1 : LONG, text);
}

static void ignore_broken_text(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (is_json(text)) {
        run_answer(c, 1, text);
    }
}

static size_t times_reported(const scripted_run *run, const char *id)
{
    size_t times = 0;
    for (size_t i = 0; i < run->count; i++) {
        times += strcmp(run->lines[i].id, id) == 0;
    }
    return times;
}

static void a_ground_case_that_is_answered_late_makes_the_run_begin_again(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, answer_broken_text_much_later, "batch/", "parse/");
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    assert_true(run.result.conformant);
    expect_of(&run, "parse/missing-value", "pass", "");
    expect_of(&run, "batch/two-calls", "pass", "");
    for (size_t i = 0; i < run.count; i++) {
        assert_string_not_equal(run.lines[i].outcome, "blocked");
        assert_int_equal(times_reported(&run, run.lines[i].id), 1);
    }
    run_end(&run);
}

static void ground_cases_without_an_answer_are_waited_for_together(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, ignore_broken_text, "version/", "call/", "id/");
    assert_int_equal(times_reported(&run, "parse/missing-value"), 1);
    expect_of(&run, "parse/missing-value", "fail", "");
    expect_of(&run, "call/unknown-method", "pass", "");
    // The full time once, and the first looks: not the full time for the ground case first.
    assert_true(run.side.now_us < INT64_C(2) * RUN_REPLY_MS * 1000);
    run_end(&run);
}

// Leaves every Object that is not a Request unanswered.
static void ignore_invalid_requests(scripted *c, const char *text, bool is_fence)
{
    scripted_run *run = c->of->context;
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), RUN_BYTES);
    (void)jrpc_router_handle(run->router, jrpc_slice_str(text), SCRIPT_DEPTH, NULL, &out, NULL);
    bool invalid =
        text[0] == '{' && jrpc_slice_contains(jrpc_buffer_slice(&out), JRPC_SLICE("-32600"));
    jrpc_buffer_done(&out);
    if (!invalid) {
        run_answer_rightly(c, text, is_fence);
    }
}

// The first looks at a few of them wait; the others know better.
static void what_is_usually_left_unanswered_is_not_waited_for_each_time(void **state)
{
    (void)state;
    static scripted_run run;
    static const char *const some[] = {"version/", "method/", "params/"};
    size_t silent = 0;
    run_begin(&run, JRPC_TRANSPORT_STDIO);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        run_pick(&run, some[i]);
    }
    run.side.on_message = ignore_invalid_requests;
    jck_run(&run.options, &run.result);
    for (size_t i = 0; i < run.count; i++) {
        bool failed = strcmp(run.lines[i].outcome, "fail") == 0;
        silent += failed || strcmp(run.lines[i].outcome, "warn") == 0;
    }
    assert_true(silent > 20);
    // Waiting for each of them takes a second more.
    assert_true(run.side.now_us < INT64_C(2) * RUN_REPLY_MS * 1000);
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ground_case_that_is_answered_late_makes_the_run_begin_again),
        cmocka_unit_test(ground_cases_without_an_answer_are_waited_for_together),
        cmocka_unit_test(whatever_way_it_is_looked_at_the_verdict_is_that_of_the_full_time),
        cmocka_unit_test(what_is_usually_left_unanswered_is_not_waited_for_each_time),
        cmocka_unit_test(silences_of_one_kind_are_waited_for_together),
        cmocka_unit_test(a_server_that_answers_soon_is_not_waited_for_as_long),
        cmocka_unit_test(an_answer_that_comes_unprompted_within_the_full_time_is_never_missed),
        cmocka_unit_test(workers_that_are_not_let_in_leave_the_cases_to_the_first),
        cmocka_unit_test(a_session_that_the_server_ended_is_begun_anew),
        cmocka_unit_test(what_happens_to_us_at_the_first_opening_ends_the_run),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
