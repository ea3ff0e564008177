// Whole runs: which verdict a case comes to, and by which way, where its cause is the case itself,
// a neighbour, their number, or nothing that can be found.
#include "tests/unit/run/scripted_run.h"

static void a_right_server_passes(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, run_answer_rightly, "batch/", "notification/");
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    assert_true(run.result.conformant);
    assert_true(run.result.judged > 60);
    assert_int_equal(run.side.opened, 1);
    for (size_t i = 0; i < run.count; i++) {
        assert_true(strcmp(run.lines[i].outcome, "pass") == 0 ||
                    strcmp(run.lines[i].outcome, "observe") == 0 ||
                    strcmp(run.lines[i].outcome, "skip") == 0);
    }
    run_end(&run);
}

static void a_crash_is_seen_alone_as_well(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, run_die_of_empty_batches, "batch/empty", "batch/two-calls", "call/unknown-method",
       "notification/unknown");
    expect_of(&run, "batch/empty", "crash", "");
    assert_string_equal(run_reported(&run, "batch/empty")->rule, "SEC-b");
    assert_int_equal(run_reported(&run, "batch/empty")->attempts, 1); // that in company
    expect_of(&run, "notification/unknown", "pass", "");
    assert_int_equal(run.result.ways[JCK_WAY_ALONE], 1);
    assert_false(run.result.conformant);
    run_end(&run);
}

// The process ends with the thirtieth message that it gets.
static void die_of_number(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (++c->state == 30) {
        DIES(c, 1);
    } else {
        run_answer(c, 1, text);
    }
}

static void a_server_that_counts_is_found_out(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, die_of_number, "batch/");
    const reported_case *crash = only_one_that_is(&run, "crash");
    assert_string_equal(crash->way, "again");
    assert_string_equal(crash->company, crash->id); // of itself, again and again
    assert_true(crash->company_count > 1);
    run_end(&run);
}

// After an empty batch every answer lacks its version.
static void forget_the_version(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    c->state = c->state || strcmp(text, "[]") == 0;
    script_id(text, id);
    if (c->state && !is_fence && id[0] == '\"') {
        (void)snprintf(answer, sizeof answer,
                       "{\"error\":{\"code\":-32601,\"message\":\"m\"},\"id\":%s}", id);
        script_say(c, 1, answer);
    } else {
        run_answer(c, 1, text);
    }
}

static void an_answer_with_the_id_of_its_call_needs_no_second_look(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, forget_the_version, "batch/", "call/");
    expect_of(&run, "batch/empty-then-call", "fail", "");
    expect_of(&run, "batch/empty", "pass", "");
    expect_of(&run, "batch/then-call", "fail", "");
    assert_string_equal(run_reported(&run, "batch/then-call")->rule, "J2-5b");
    run_end(&run);
}

// The end comes 30 ms after the answer.
static void die_late(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[]") == 0) {
        DIES(c, 30);
    }
    run_answer(c, 12, text);
}

static void a_late_death_belongs_to_the_case_before(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, die_late, "batch/");
    expect_of(&run, "batch/empty", "crash", "");
    expect_of(&run, "batch/empty-then-call", "crash", "");
    assert_int_equal(run.result.counts[JCK_OUTCOME_CRASH], 2);
    assert_true(run.result.ways[JCK_WAY_NEIGHBOUR] > 0);
    run_end(&run);
}

static void die_once(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[]") == 0 && c->of->state++ == 0) {
        DIES(c, 1);
    } else {
        run_answer(c, 1, text);
    }
}

static void a_crash_that_never_comes_again_is_still_one(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, die_once, "batch/");
    expect_of(&run, "batch/empty", "crash", "once");
    assert_string_equal(only_one_that_is(&run, "crash")->id, "batch/empty");
    assert_int_equal(run.result.ways[JCK_WAY_ONCE], 1);
    run_end(&run);
}

// Notifications are answered, and 150 ms late.
static void answer_notifications_late(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    char id[128];
    script_id(text, id);
    if (text[0] == '{' && id[0] == '\0' && strstr(text, "\"method\":\"") != NULL) {
        script_say(
            c, 150,
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"m\"},\"id\":null}");
    } else {
        run_answer(c, 1, text);
    }
}

static void a_late_answer_is_given_to_the_case_that_owed_silence(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, answer_notifications_late, "notification/unknown", "call/", "message/", "batch/",
       "parse/");
    expect_of(&run, "notification/unknown", "fail", "");
    assert_string_equal(only_one_that_is(&run, "fail")->rule, "J2-4.1c");
    assert_int_equal(run.result.ways[JCK_WAY_NEIGHBOUR], 1); // who heard it is not accused
    run_end(&run);
}

// After an empty batch the next notification is fatal.
static void die_of_both(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    script_id(text, id);
    if (c->state && text[0] == '{' && id[0] == '\0' && !is_fence) {
        DIES(c, 1);
        return;
    }
    c->state = c->state || strcmp(text, "[]") == 0;
    run_answer(c, 1, text);
}

static void a_crash_behind_another_case_names_it(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_STDIO);
    run.options.plan.repeat = 2;
    GO_ON(&run, die_of_both, "batch/empty", "notification/unknown", "notification/unknown-named");
    const reported_case *crash = only_one_that_is(&run, "crash");
    assert_string_equal(crash->id, "notification/unknown");
    assert_string_equal(crash->way, "again");
    assert_string_equal(crash->company, "batch/empty");
    assert_int_equal(crash->company_count, 1);
    run_end(&run);
}

// After two texts that are not JSON every call gets an Internal error.
static void fail_after_parse_errors(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    script_id(text, id);
    c->state += text[0] == '{' && text[strlen(text) - 1] != '}';
    if (c->state > 1 && !is_fence && id[0] == '\"') {
        script_error(c, 1, -32603, id);
    } else {
        run_answer(c, 1, text);
    }
}

static void a_state_that_is_wrong_accuses_one_case_and_not_all_that_follow(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, fail_after_parse_errors, "json-truncated/", "json-number/every-legal-form",
       "json-space/spaces", "json-depth/64-arrays", "id/string-one", "params/");
    const reported_case *fail = only_one_that_is(&run, "fail");
    assert_string_equal(fail->way, "again");
    assert_int_equal(fail->company_count, 2);
    run_end(&run);
}

static void serve_one(scripted *c, const char *text, bool is_fence)
{
    if (c->of->opened - c->of->closed == 1 || c->number < c->of->opened) {
        run_answer_rightly(c, text, is_fence);
    }
}

static void cases_of_two_connections_are_left_out(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_TCP);
    GO_ON(&run, serve_one, "connections/kept-apart", "connections/same-id", "call/unknown-method");
    expect_of(&run, "call/unknown-method", "pass", "");
    assert_string_equal(run_reported(&run, "connections/kept-apart")->reason, "second-connection");
    assert_string_equal(run_reported(&run, "connections/same-id")->reason, "second-connection");
    assert_true(run.result.conformant);
    run_end(&run);
}

static void what_only_ends_the_server_again_is_left_out(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, run_die_of_batches, "batch/");
    expect_of(&run, "batch/two-calls", "crash", "");
    size_t left_out = 0;
    for (size_t i = 0; i < run.count; i++) {
        left_out += strcmp(run.lines[i].reason, "repeats-crash") == 0;
    }
    assert_true(left_out > 10);
    assert_true(run.result.counts[JCK_OUTCOME_CRASH] > 6);
    assert_true(run.result.ways[JCK_WAY_ALIKE] > 0); // believed without another look
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    run_end(&run);
}

static void fall_silent_at_a_batch(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    c->state = c->state || text[0] == '[';
    if (!c->state) {
        run_answer(c, 1, text);
    }
}

static void what_only_silences_the_server_again_is_left_out(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, fall_silent_at_a_batch, "batch/", "call/");
    expect_of(&run, "batch/two-calls", "hang", "");
    expect_of(&run, "call/unknown-method", "pass", "");
    size_t left_out = 0;
    for (size_t i = 0; i < run.count; i++) {
        bool is = strcmp(run.lines[i].reason, "repeats-mute") == 0;
        assert_true(!is || strncmp(run.lines[i].id, "batch/", strlen("batch/")) == 0);
        left_out += is;
    }
    assert_true(left_out > 10);
    assert_true(run.result.counts[JCK_OUTCOME_HANG] >= 6);
    assert_int_equal(run.result.end, JCK_RUN_FINISHED);
    run_end(&run);
}

static void answer_slowly_now_and_then(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    int64_t took_ms = ++c->of->state % 40 == 39 ? 900 : 2;
    int64_t begins_us = c->of->busy_until_us > c->of->now_us ? c->of->busy_until_us : c->of->now_us;
    c->of->busy_until_us = begins_us + took_ms * 1000;
    run_answer(c, (c->of->busy_until_us - c->of->now_us) / 1000, text);
}

static void a_hasty_look_is_repeated_with_more_time(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, answer_slowly_now_and_then, "batch/", "call/");
    assert_true(run.result.conformant); // 900 ms are within the time of an answer
    assert_int_equal(run.result.counts[JCK_OUTCOME_PASS] + run.result.counts[JCK_OUTCOME_OBSERVE],
                     run.result.judged);
    run_end(&run);
}

static void ignore_what_is_not_json(scripted *c, const char *text, bool is_fence)
{
    jrpc_json_document document;
    (void)is_fence;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (text[0] != '[' && jrpc_json_read(&document, jrpc_slice_str(text), SCRIPT_DEPTH, NULL)) {
        run_answer(c, 1, text);
    }
    jrpc_json_document_done(&document);
}

static void silence_that_a_ground_case_showed_is_not_waited_for_again(void **state)
{
    (void)state;
    static scripted_run run;
    GO(&run, ignore_what_is_not_json, "batch/", "parse/");
    expect_of(&run, "parse/missing-value", "fail", "");
    expect_of(&run, "batch/two-calls", "warn", "");
    expect_of(&run, "batch/empty", "fail", "");
    assert_string_equal(run_reported(&run, "batch/three-calls")->reason, "rule-broken");
    expect_of(&run, "batch/three-calls", "blocked", "");
    assert_true(run.side.now_us < INT64_C(30) * 1000000); // of two seconds for each silence
    run_end(&run);
}

static void the_end_of_an_exchange_proves_silence_over_http(void **state)
{
    (void)state;
    static scripted_run run;
    run_begin(&run, JRPC_TRANSPORT_HTTP);
    GO_ON(&run, run_answer_rightly, "batch/", "notification/");
    assert_true(run.result.conformant);
    assert_true(run.result.judged > 60);
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_server_passes),
        cmocka_unit_test(a_crash_is_seen_alone_as_well),
        cmocka_unit_test(a_server_that_counts_is_found_out),
        cmocka_unit_test(a_state_that_is_wrong_accuses_one_case_and_not_all_that_follow),
        cmocka_unit_test(an_answer_with_the_id_of_its_call_needs_no_second_look),
        cmocka_unit_test(a_late_death_belongs_to_the_case_before),
        cmocka_unit_test(a_crash_that_never_comes_again_is_still_one),
        cmocka_unit_test(a_late_answer_is_given_to_the_case_that_owed_silence),
        cmocka_unit_test(a_crash_behind_another_case_names_it),
        cmocka_unit_test(cases_of_two_connections_are_left_out),
        cmocka_unit_test(what_only_ends_the_server_again_is_left_out),
        cmocka_unit_test(what_only_silences_the_server_again_is_left_out),
        cmocka_unit_test(a_hasty_look_is_repeated_with_more_time),
        cmocka_unit_test(silence_that_a_ground_case_showed_is_not_waited_for_again),
        cmocka_unit_test(the_end_of_an_exchange_proves_silence_over_http),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
