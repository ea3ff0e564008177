// The ledger: what is counted, what a ground case teaches, which cases that blocks, how a run
// stops.
#include "harness/run/ledger.h"

#include "tests/unit/judge/bench.h"

// The catalogue of the bench names the first three as the grounds of J2-5.1f and of all that is
// judged on every Response, of J2-5.1d, and of J2-6a.
enum { GROUND, PARSE_GROUND, BATCH_GROUND, ON_BATCHES, PLAIN, CALLS };
static const row rows[] = {
    {"", "\"rules\":[\"J2-5.1f\"],\"send\":" CALL ",\"expect\":" UNKNOWN, {0}, ""},
    {"",
     "\"rules\":[\"J2-5.1d\"],\"send-text\":\"{\",\"expect\":{\"error\":{\"code\":-32700}}",
     {0},
     ""},
    {"",
     "\"rules\":[\"J2-6a\"],\"send\":[" CALL "],\"expect\":[{\"error\":{\"code\":-32601},"
     "\"id\":7}]",
     {0},
     ""},
    {"", "\"rules\":[\"J2-6b\"],\"send\":[1,2],\"expect\":\"anything\"", {0}, ""},
    {"", "\"rules\":[\"X-must\"],\"send\":1,\"expect\":\"anything\"", {0}, ""},
    {"", "\"rules\":[\"X-must\"],\"send\":" CALL ",\"expect\":\"anything\"", {0}, ""},
};
#define ROWS (sizeof rows / sizeof rows[0])

typedef struct fixture {
    bench b;
    jrpc_arena arena;
    jck_run_options options;
    jck_ledger ledger;
    size_t lines;
    jck_outcome expected; // outcome that the baseline expects of every case
    bool has_baseline;
} fixture;

static void emit(void *context, jrpc_slice line)
{
    fixture *f = context;
    assert_true(line.len > 0 && line.ptr[line.len - 1] == '\n');
    f->lines++;
}

static bool expects(void *baseline, const jck_case *test_case, jck_outcome outcome)
{
    const fixture *f = baseline;
    (void)test_case;
    return f->has_baseline && outcome == f->expected;
}

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){0};
    bench_load(&f.b, rows, ROWS);
    jrpc_arena_init(&f.arena, jrpc_allocator_heap(), BENCH_BYTES);
    f.options = (jck_run_options){
        .suite = f.b.suite, .emit = emit, .context = &f, .expects = expects, .baseline = &f};
    assert_true(jck_ledger_init(&f.ledger, &f.options, &f.arena));
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    jck_ledger_done(&f->ledger);
    jrpc_arena_done(&f->arena);
    bench_done(&f->b);
    return 0;
}

static const jck_case *case_of(const fixture *f, size_t index)
{
    char id[32];
    return jck_suite_find_case(f->b.suite, bench_id(index, id));
}

static void tell_of(fixture *f, const char *kind, jck_outcome outcome, bool conformant)
{
    jck_verdict verdict = {.outcome = outcome, .conformant = conformant};
    jck_findings_init(&verdict.findings, &f->arena, f->b.suite, case_of(f, PLAIN));
    bool ran = outcome != JCK_OUTCOME_SKIP;
    jck_ledger_report(&f->ledger, &(jck_case_report){.kind = kind,
                                                     .test_case = case_of(f, PLAIN),
                                                     .outcome = outcome,
                                                     .verdict = ran ? &verdict : NULL});
}

static void what_is_reported_is_counted_and_emitted(void **state)
{
    fixture *f = *state;
    tell_of(f, "case", JCK_OUTCOME_PASS, true);
    tell_of(f, "case", JCK_OUTCOME_PASS, true);
    tell_of(f, "case", JCK_OUTCOME_WARN, true);
    tell_of(f, "case", JCK_OUTCOME_SKIP, true);
    tell_of(f, "case", JCK_OUTCOME_BLOCKED, true);
    assert_true(f->ledger.result.conformant);
    tell_of(f, "ground", JCK_OUTCOME_FAIL, false); // was not selected: no count
    assert_true(f->ledger.result.conformant);
    assert_int_equal(f->ledger.result.counts[JCK_OUTCOME_FAIL], 0);
    tell_of(f, "case", JCK_OUTCOME_FAIL, false);
    assert_false(f->ledger.result.conformant);
    assert_false(jck_ledger_stopping(&f->ledger));
    assert_int_equal(f->ledger.result.counts[JCK_OUTCOME_PASS], 2);
    assert_int_equal(f->ledger.result.counts[JCK_OUTCOME_WARN], 1);
    assert_int_equal(f->ledger.result.judged, 4);
    assert_int_equal(f->ledger.result.skipped, 2);
    assert_int_equal(f->ledger.result.unexpected, 1);
    assert_int_equal(f->lines, 7);
    for (size_t i = 0; i < jck_suite_rule_count(f->b.suite); i++) {
        assert_int_equal(f->ledger.rules_tested[i],
                         jrpc_slice_is(jck_suite_rule(f->b.suite, i)->id, "X-must"));
    }
}

static void what_is_skipped_tests_no_rule(void **state)
{
    fixture *f = *state;
    tell_of(f, "case", JCK_OUTCOME_SKIP, true);
    tell_of(f, "case", JCK_OUTCOME_BLOCKED, true);
    tell_of(f, "ground", JCK_OUTCOME_PASS, true);
    for (size_t i = 0; i < jck_suite_rule_count(f->b.suite); i++) {
        assert_false(f->ledger.rules_tested[i]);
    }
}

static void a_failure_that_the_baseline_expects_is_none(void **state)
{
    fixture *f = *state;
    f->has_baseline = true;
    f->expected = JCK_OUTCOME_FAIL;
    f->options.fail_fast = true;
    tell_of(f, "case", JCK_OUTCOME_FAIL, false);
    assert_true(f->ledger.result.conformant);
    assert_int_equal(f->ledger.result.unexpected, 0);
    assert_false(jck_ledger_stopping(&f->ledger));
    tell_of(f, "case", JCK_OUTCOME_CRASH, false);
    assert_false(f->ledger.result.conformant);
    assert_true(jck_ledger_stopping(&f->ledger));
}

static void a_warning_is_a_breach_only_when_strict(void **state)
{
    fixture *f = *state;
    tell_of(f, "case", JCK_OUTCOME_WARN, true);
    assert_true(f->ledger.result.conformant);
    f->options.strict = true;
    tell_of(f, "case", JCK_OUTCOME_WARN, true);
    assert_false(f->ledger.result.conformant);
    assert_int_equal(f->ledger.result.unexpected, 1);
}

static void cases_are_taken_in_order_until_the_run_stops(void **state)
{
    fixture *f = *state;
    const jck_case *cases[] = {case_of(f, ON_BATCHES), case_of(f, PLAIN), case_of(f, CALLS)};
    const jck_plan plan = {.cases = cases, .case_count = 3};
    const jrpc_error first = {.code = JRPC_ERROR_CLOSED};
    const jrpc_error second = {.code = JRPC_ERROR_TIMEOUT};
    assert_ptr_equal(jck_ledger_take(&f->ledger, &plan, false), cases[0]);
    assert_ptr_equal(jck_ledger_take(&f->ledger, &plan, false), cases[1]);
    for (uint32_t serial = 1; serial <= 2; serial++) {
        jck_attempt *attempt = jck_ledger_attempt(&f->ledger, cases[0]);
        assert_non_null(attempt);
        assert_int_equal(attempt->variables.serial, serial);
        jck_attempt_free(attempt);
    }
    jck_ledger_stop(&f->ledger, JCK_RUN_MUTE, &first);
    jck_ledger_stop(&f->ledger, JCK_RUN_UNOPENED, &second);
    assert_null(jck_ledger_take(&f->ledger, &plan, false));
    assert_int_equal(f->ledger.result.end, JCK_RUN_MUTE);
    assert_int_equal(f->ledger.result.error.code, JRPC_ERROR_CLOSED);
    f->ledger.stopping = false;
    assert_ptr_equal(jck_ledger_take(&f->ledger, &plan, false), cases[2]);
    assert_null(jck_ledger_take(&f->ledger, &plan, false));
}

static void with_several_workers_some_take_the_cases_that_wait_first(void **state)
{
    fixture *f = *state;
    const jck_case *cases[] = {case_of(f, ON_BATCHES), case_of(f, PLAIN), case_of(f, CALLS)};
    size_t waiting[] = {1};
    bool taken[3] = {false};
    const jck_plan plan = {.cases = cases, .case_count = 3, .waiting = waiting, .waiting_count = 1};
    f->ledger.taken = taken;
    assert_ptr_equal(jck_ledger_take(&f->ledger, &plan, true), cases[1]);
    assert_ptr_equal(jck_ledger_take(&f->ledger, &plan, false), cases[0]);
    assert_ptr_equal(jck_ledger_take(&f->ledger, &plan, true), cases[2]); // no other one waits
    assert_null(jck_ledger_take(&f->ledger, &plan, false));
    assert_int_equal(f->ledger.given, 3);
}

// Judges a ground case on what came, and has the ledger learn from it.
static void learn(fixture *f, size_t ground, const char *came)
{
    execution run;
    jck_verdict verdict;
    bench_send(&f->b, ground, &run);
    if (came != NULL) {
        bench_receive(&run, came);
    }
    bench_judge(&f->b, ground, &run, &f->arena, &verdict);
    jck_ledger_learn(&f->ledger, run.test_case, &verdict, &run.evidence);
    bench_forget(&run);
}

static bool blocks(fixture *f, size_t index, const char *by)
{
    jrpc_slice rule = {NULL, 0};
    bool blocked = jck_ledger_blocks(&f->ledger, case_of(f, index), &rule);
    assert_int_equal(blocked, rule.len > 0);
    return blocked && jrpc_slice_is(rule, by);
}

static void a_ground_tells_how_unknown_methods_are_answered(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *came;
        bool answers, differs, result;
        int64_t code;
    } learned[] = {
        {ANSWER, true, false, false, -32601},
        {ERROR_ANSWER("-32000", "7"), true, true, false, -32000},
        {"{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":7}", true, false, true, 0},
        {"no JSON at all", true, false, false, 0},
        {"@fence " ANSWER, false, false, false, 0},
        {NULL, false, false, false, 0},
    };
    for (size_t i = 0; i < sizeof learned / sizeof learned[0]; i++) {
        const jck_calibration *known = &f->ledger.calibration;
        learn(f, GROUND, learned[i].came);
        assert_int_equal(known->absent_answers, learned[i].answers);
        assert_int_equal(known->absent_code_differs, learned[i].differs);
        assert_int_equal(known->absent_gives_result, learned[i].result);
        assert_int_equal(known->absent_code, learned[i].code);
        assert_int_equal(blocks(f, CALLS, "J2-5.1f"), !learned[i].answers);
        f->ledger.calibration =
            (jck_calibration){.absent_answers = true, .broken = f->ledger.broken};
    }
}

static void a_ground_tells_which_rules_are_broken(void **state)
{
    fixture *f = *state;
    learn(f, GROUND, ANSWER);
    learn(f, PARSE_GROUND, ERROR_ANSWER("-32700", "null"));
    learn(f, BATCH_GROUND, "[" ANSWER "]");
    assert_int_equal(f->ledger.calibration.broken_count, 0);
    assert_false(f->ledger.silent_on_parse_error || f->ledger.silent_on_batch);
    learn(f, GROUND, "{\"error\":{\"code\":-32601},\"id\":\"7\"}");
    assert_int_equal(f->ledger.calibration.broken_count, 3);
    assert_true(jck_ledger_is_broken(&f->ledger, JRPC_SLICE("J2-5b")));
    assert_true(jck_ledger_is_broken(&f->ledger, JRPC_SLICE("J2-5.1b")));
    assert_true(jck_ledger_is_broken(&f->ledger, JRPC_SLICE("J2-4e")));
    assert_false(jck_ledger_is_broken(&f->ledger, JRPC_SLICE("J2-5.1f")));
    learn(f, GROUND, "{\"error\":{\"code\":-32601},\"id\":\"7\"}"); // known already
    assert_int_equal(f->ledger.calibration.broken_count, 3);
    // What a case shows of a rule whose ground is another one, is not learned.
    learn(f, PARSE_GROUND, "{\"error\":{\"code\":-32700,\"message\":\"\"},\"id\":null}");
    assert_int_equal(f->ledger.calibration.broken_count, 3);
    learn(f, PARSE_GROUND, NULL);
    assert_true(jck_ledger_is_broken(&f->ledger, JRPC_SLICE("J2-5.1d")));
    assert_true(f->ledger.silent_on_parse_error);
    assert_false(f->ledger.silent_on_batch);
    learn(f, BATCH_GROUND, NULL);
    assert_true(f->ledger.silent_on_batch);
}

static void a_case_that_stands_on_a_broken_rule_is_blocked(void **state)
{
    fixture *f = *state;
    jrpc_slice rule = {NULL, 0};
    for (size_t i = 0; i < ROWS; i++) {
        assert_false(jck_ledger_blocks(&f->ledger, case_of(f, i), &rule));
    }
    learn(f, BATCH_GROUND, NULL);
    assert_true(jck_ledger_is_broken(&f->ledger, JRPC_SLICE("J2-6a")));
    assert_true(blocks(f, ON_BATCHES, "J2-6a"));
    assert_false(jck_ledger_blocks(&f->ledger, case_of(f, PLAIN), &rule));
    assert_false(jck_ledger_blocks(&f->ledger, case_of(f, CALLS), &rule));
}

// That many more answers came, each after this time.
static void hear(fixture *f, size_t answers, int64_t each_us)
{
    f->ledger.pace.answers += answers;
    f->ledger.pace.total_us += (int64_t)answers * each_us;
}

static void workers_leave_one_by_one_while_their_messages_queue(void **state)
{
    fixture *f = *state;
    enum { WORKERS = 6, LEFT = 3, LOOKED_AT = 12 };
    const int64_t alone_us = 20000;
    hear(f, 100, alone_us);
    f->ledger.jobs = WORKERS;
    jck_ledger_begin_crowd(&f->ledger, f->ledger.jobs);
    assert_false(jck_ledger_is_crowded(&f->ledger)); // nothing was heard yet
    hear(f, LOOKED_AT - 1, WORKERS * alone_us);
    assert_false(jck_ledger_is_crowded(&f->ledger)); // too little
    hear(f, 1, WORKERS * alone_us);
    assert_true(jck_ledger_is_crowded(&f->ledger));
    assert_false(jck_ledger_is_crowded(&f->ledger)); // the others are looked at anew
    unsigned left = 1;
    for (int round = 0; round < WORKERS; round++) {
        hear(f, LOOKED_AT, WORKERS * alone_us);
        left += jck_ledger_is_crowded(&f->ledger);
    }
    assert_int_equal(left, WORKERS - LEFT);
}

static void workers_stay_where_each_gets_its_answer_as_soon_as_one_did(void **state)
{
    fixture *f = *state;
    enum { WORKERS = 16 };
    const int64_t alone_us = 20000;
    const int64_t each_us[] = {alone_us, 2 * alone_us, WORKERS / 2 * alone_us};
    for (size_t i = 0; i < sizeof each_us / sizeof each_us[0]; i++) {
        f->ledger.pace = (jck_pace){0};
        hear(f, 100, alone_us);
        f->ledger.jobs = WORKERS;
        jck_ledger_begin_crowd(&f->ledger, f->ledger.jobs);
        hear(f, 1000, each_us[i]);
        assert_false(jck_ledger_is_crowded(&f->ledger));
        hear(f, 1000, each_us[i] + 2 * (int64_t)WORKERS * alone_us);
        assert_true(jck_ledger_is_crowded(&f->ledger));
    }
    f->ledger.pace = (jck_pace){0}; // how long an answer takes for one worker is not known
    jck_ledger_begin_crowd(&f->ledger, f->ledger.jobs);
    hear(f, 1000, WORKERS * alone_us);
    assert_false(jck_ledger_is_crowded(&f->ledger));
}

// The end of a process in a case; its last output contains `letter`.
static jck_attempt *end_with(fixture *f, const char *letter, int status)
{
    const jck_case *test_case = case_of(f, PLAIN);
    jck_attempt *attempt = jck_ledger_attempt(&f->ledger, test_case);
    assert_non_null(attempt);
    jck_findings_init(&attempt->verdict.findings, &attempt->arena, f->b.suite, test_case);
    attempt->verdict.outcome = JCK_OUTCOME_CRASH;
    attempt->evidence.process_gone = true;
    attempt->evidence.end.kind = JRPC_END_EXITED;
    attempt->evidence.end.value = status;
    attempt->evidence.stderr_tail = jrpc_slice_str(letter);
    return attempt;
}

static bool trusts(fixture *f, const char *letter, int status)
{
    jck_attempt *attempt = end_with(f, letter, status);
    bool trusted = jck_ledger_trusts(&f->ledger, case_of(f, PLAIN), attempt);
    jck_attempt_free(attempt);
    return trusted;
}

static void note(fixture *f, const char *letter, bool same)
{
    jck_attempt *attempt = end_with(f, letter, 2);
    jck_ledger_note_confirmed(&f->ledger, case_of(f, PLAIN), attempt, same);
    jck_attempt_free(attempt);
}

static void many_ends_that_were_seen_alone_too_make_others_like_them_believed(void **state)
{
    fixture *f = *state;
    static const char *const outputs[] = {"a", "b", "c", "d", "e", "f",
                                          "g", "h", "i", "j", "k", "l"};
    size_t count = sizeof outputs / sizeof outputs[0];
    for (size_t i = 0; i < count; i++) {
        assert_false(trusts(f, "panic", 2));
        note(f, outputs[i], true);
    }
    assert_true(trusts(f, "panic", 2));
    assert_false(trusts(f, "panic", 3)); // it ended in another way
    note(f, "a", false);
    assert_false(trusts(f, "panic", 2)); // an end in company was not seen alone
}

static void a_crash_that_no_suspect_repeats_is_unexplained(void **state)
{
    fixture *f = *state;
    jck_ledger_suspect(&f->ledger, 3);
    jck_ledger_suspect(&f->ledger, 3);
    assert_false(jck_ledger_resolve(&f->ledger, 3, false)); // one suspect is left
    assert_true(jck_ledger_resolve(&f->ledger, 3, false));
    jck_ledger_suspect(&f->ledger, 4);
    jck_ledger_suspect(&f->ledger, 4);
    assert_false(jck_ledger_resolve(&f->ledger, 4, true));
    assert_false(jck_ledger_resolve(&f->ledger, 4, false));
}

static void a_case_that_only_saw_its_connection_close_may_explain_a_crash(void **state)
{
    fixture *f = *state;
    jck_ledger_explain(&f->ledger, 3); // before the suspect comes forward …
    jck_ledger_suspect(&f->ledger, 3);
    assert_false(jck_ledger_resolve(&f->ledger, 3, false));
    jck_ledger_suspect(&f->ledger, 4);
    jck_ledger_explain(&f->ledger, 4); // … and after it
    assert_false(jck_ledger_resolve(&f->ledger, 4, false));
    jck_ledger_suspect(&f->ledger, 4 + JCK_GENERATIONS_KEPT); // another crash
    assert_true(jck_ledger_resolve(&f->ledger, 4 + JCK_GENERATIONS_KEPT, false));
    assert_false(jck_ledger_resolve(&f->ledger, 4, false)); // no longer remembered
}

static void a_limit_that_one_worker_sees_slows_down_the_others(void **state)
{
    fixture *f = *state;
    jck_link seen = {.sent_us = 5000,
                     .learned = {.limit_code = -32029,
                                 .limit_words = "Too many requests",
                                 .interval_us = 10000}};
    jck_link other = {.sent_us = 1000};
    jck_ledger_share_limit(&f->ledger, &other);
    assert_false(jck_ledger_is_limited(&f->ledger));
    jck_ledger_share_limit(&f->ledger, &seen);
    jck_ledger_share_limit(&f->ledger, &other);
    assert_true(jck_ledger_is_limited(&f->ledger));
    assert_int_equal(other.learned.interval_us, 10000);
    assert_int_equal(other.sent_us, 5000); // both pause until then
}

// A case is run again because of such a refusal, unless that helps none of many cases.
static void what_was_refused_because_of_a_limit_is_run_again(void **state)
{
    fixture *f = *state;
    jck_link seen = {.learned = {.limit_code = -32029, .limit_words = "Too many requests"}};
    jck_message refusal = {.direction = JCK_RECEIVED,
                           .bytes = JRPC_SLICE("{\"error\":{\"code\":-32029,\"message\":\"Too "
                                               "many requests\"},\"id\":1}")};
    jck_message other = {.direction = JCK_RECEIVED,
                         .bytes = JRPC_SLICE("{\"error\":{\"code\":-32029,\"message\":\"Busy\"}}")};
    const jck_evidence refused = {.messages = &refusal, .count = 1};
    const jck_evidence served = {.messages = &other, .count = 1};
    assert_false(jck_ledger_is_refused(&f->ledger, &refused, false)); // no limit is known
    jck_ledger_share_limit(&f->ledger, &seen);
    assert_true(jck_ledger_is_refused(&f->ledger, &refused, false));
    assert_false(jck_ledger_is_refused(&f->ledger, &served, false));
    for (int i = 0; i < 7; i++) {
        assert_true(jck_ledger_is_refused(&f->ledger, &refused, true));
    }
    assert_false(jck_ledger_is_refused(&f->ledger, &served, true)); // that helped
    for (int i = 0; i < 8; i++) {
        assert_true(jck_ledger_is_refused(&f->ledger, &refused, true));
    }
    assert_false(jck_ledger_is_refused(&f->ledger, &refused, false));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_reported_is_counted_and_emitted),
        TEST(what_is_skipped_tests_no_rule),
        TEST(a_failure_that_the_baseline_expects_is_none),
        TEST(a_warning_is_a_breach_only_when_strict),
        TEST(cases_are_taken_in_order_until_the_run_stops),
        TEST(with_several_workers_some_take_the_cases_that_wait_first),
        TEST(a_ground_tells_how_unknown_methods_are_answered),
        TEST(a_ground_tells_which_rules_are_broken),
        TEST(a_case_that_stands_on_a_broken_rule_is_blocked),
        TEST(workers_leave_one_by_one_while_their_messages_queue),
        TEST(workers_stay_where_each_gets_its_answer_as_soon_as_one_did),
        TEST(many_ends_that_were_seen_alone_too_make_others_like_them_believed),
        TEST(a_crash_that_no_suspect_repeats_is_unexplained),
        TEST(a_limit_that_one_worker_sees_slows_down_the_others),
        TEST(what_was_refused_because_of_a_limit_is_run_again),
        TEST(a_case_that_only_saw_its_connection_close_may_explain_a_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
