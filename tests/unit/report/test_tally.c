// What a run adds up to, and the verdict in words.
#include "tests/unit/report/report_test.h"

#include "harness/report/exhibit.h"
#include "harness/report/tally.h"

static jck_reading_case case_of(jck_outcome outcome, const jck_reading_finding *finding)
{
    return (jck_reading_case){
        .id = JRPC_SLICE("a/case"),
        .outcome = outcome,
        .reason = JRPC_SLICE("a reason"),
        .findings = finding,
        .finding_count = finding == NULL ? 0 : 1,
    };
}

static void take(jck_tally *tally, jck_outcome outcome, const char *rule, jck_level level)
{
    const jck_reading_finding finding = {
        .rule = jrpc_slice_str(rule), .text = JRPC_SLICE("text"), .level = level};
    jck_reading_case taken = case_of(outcome, rule == NULL ? NULL : &finding);
    assert_true(jck_tally_case(tally, &taken));
}

static void finish(jck_tally *tally, jck_reading_finish finish)
{
    assert_true(jck_tally_finish(tally, &finish));
}

static void start(jck_tally *tally, size_t selected, bool strict)
{
    jck_tally_init(tally, 1);
    jck_reading_start start = {.selected = selected, .strict = strict};
    assert_true(jck_tally_start(tally, &start));
}

static void assert_verdict(jck_tally *tally, const char *expected)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 4096);
    jck_tally_verdict(tally, JCK_SAFE_PLAIN, &out);
    assert_true(jrpc_buffer_append_char(&out, '\0'));
    assert_string_equal(out.ptr, expected);
    jrpc_buffer_done(&out);
    jck_tally_done(tally);
}

static void a_conformant_run_says_what_it_did_not_judge(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 3, false);
    take(&tally, JCK_OUTCOME_PASS, NULL, JCK_LEVEL_MUST);
    take(&tally, JCK_OUTCOME_WARN, "S-1", JCK_LEVEL_SHOULD);
    take(&tally, JCK_OUTCOME_SKIP, NULL, JCK_LEVEL_MUST);
    finish(&tally, (jck_reading_finish){.judged = 2, .conformant = true});
    assert_verdict(&tally,
                   "CONFORMANT: no MUST rule broken, 1 SHOULD rule broken; 1 of 3 cases not "
                   "judged");
}

static void a_run_that_judged_less_than_half_does_not_say_conformant(void **state)
{
    (void)state;
    static const struct {
        jck_outcome other;
        const char *verdict;
    } table[] = {
        {JCK_OUTCOME_SKIP, "MOSTLY NOT JUDGED: no MUST rule broken; 3 of 4 cases not judged"},
        {JCK_OUTCOME_BLOCKED, "MOSTLY NOT JUDGED: no MUST rule broken; 3 of 4 cases not judged"},
        {JCK_OUTCOME_PASS, "CONFORMANT: no MUST rule broken; 2 of 4 cases not judged"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jck_tally tally;
        start(&tally, 4, false);
        take(&tally, JCK_OUTCOME_PASS, NULL, JCK_LEVEL_MUST);
        take(&tally, table[i].other, NULL, JCK_LEVEL_MUST);
        take(&tally, JCK_OUTCOME_SKIP, NULL, JCK_LEVEL_MUST);
        take(&tally, JCK_OUTCOME_SKIP, NULL, JCK_LEVEL_MUST);
        finish(&tally, (jck_reading_finish){.judged = 1, .conformant = true});
        assert_verdict(&tally, table[i].verdict);
    }
}

static void a_rule_counts_once_however_many_cases_break_it(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 4, false);
    take(&tally, JCK_OUTCOME_FAIL, "M-1", JCK_LEVEL_MUST);
    take(&tally, JCK_OUTCOME_FAIL, "M-1", JCK_LEVEL_MUST);
    take(&tally, JCK_OUTCOME_FAIL, "M-2", JCK_LEVEL_MUST);
    take(&tally, JCK_OUTCOME_CRASH, NULL, JCK_LEVEL_MUST);
    finish(&tally, (jck_reading_finish){.judged = 4});
    assert_verdict(&tally, "NOT CONFORMANT: 2 MUST rules broken, 1 crash");
}

static void a_rule_counts_at_its_worst_level_in_whatever_order_cases_come(void **state)
{
    (void)state;
    static const jck_level orders[][3] = {
        {JCK_LEVEL_MUST, JCK_LEVEL_SHOULD, JCK_LEVEL_SHOULD},
        {JCK_LEVEL_SHOULD, JCK_LEVEL_MUST, JCK_LEVEL_SHOULD},
        {JCK_LEVEL_SHOULD, JCK_LEVEL_SHOULD, JCK_LEVEL_MUST},
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        jck_tally tally;
        start(&tally, 3, false);
        for (size_t k = 0; k < 3; k++) {
            take(&tally, orders[i][k] == JCK_LEVEL_MUST ? JCK_OUTCOME_FAIL : JCK_OUTCOME_WARN,
                 "M-1", orders[i][k]);
        }
        finish(&tally, (jck_reading_finish){.judged = 3});
        assert_verdict(&tally, "NOT CONFORMANT: 1 MUST rule broken");
    }
}

static void a_cause_counts_the_cases_at_its_own_level(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 4, false);
    take(&tally, JCK_OUTCOME_WARN, "M-1", JCK_LEVEL_SHOULD);
    take(&tally, JCK_OUTCOME_FAIL, "M-1", JCK_LEVEL_MUST);
    take(&tally, JCK_OUTCOME_WARN, "M-1", JCK_LEVEL_SHOULD);
    take(&tally, JCK_OUTCOME_WARN, "S-1", JCK_LEVEL_SHOULD);
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 4096);
    jck_append_cause_counts(&out, tally.causes.first);
    jrpc_buffer_append_str(&out, "; ");
    jck_append_cause_counts(&out, tally.causes.first->next);
    assert_true(jrpc_buffer_append_char(&out, '\0'));
    assert_string_equal(out.ptr, "1 case and 2 more as a SHOULD; 1 case");
    jrpc_buffer_done(&out);
    jck_tally_done(&tally);
}

static void a_case_that_breaks_a_rule_at_two_steps_counts_once(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 1, false);
    const jck_reading_finding findings[] = {
        {.rule = JRPC_SLICE_INIT("M-1"), .level = JCK_LEVEL_MUST},
        {.rule = JRPC_SLICE_INIT("M-2"), .level = JCK_LEVEL_MUST},
        {.rule = JRPC_SLICE_INIT("M-1"), .level = JCK_LEVEL_MUST},
    };
    jck_reading_case taken = case_of(JCK_OUTCOME_FAIL, findings);
    taken.finding_count = 3;
    assert_true(jck_tally_case(&tally, &taken));
    assert_int_equal(tally.rules.count, 2);
    assert_int_equal(tally.rules.first->count, 1);
    jck_tally_done(&tally);
}

static void under_strict_a_warning_is_a_breach(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 1, true);
    take(&tally, JCK_OUTCOME_WARN, "S-1", JCK_LEVEL_SHOULD);
    finish(&tally, (jck_reading_finish){.judged = 1});
    assert_verdict(&tally, "NOT CONFORMANT: 1 SHOULD rule broken (strict)");
}

static void what_the_baseline_expects_breaks_nothing(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 1, false);
    const jck_reading_finding finding = {.rule = JRPC_SLICE("M-1"), .level = JCK_LEVEL_MUST};
    jck_reading_case expected = case_of(JCK_OUTCOME_FAIL, &finding);
    expected.expected = true;
    assert_true(jck_tally_case(&tally, &expected));
    finish(&tally, (jck_reading_finish){.judged = 1, .conformant = true});
    assert_int_equal(jck_tally_broken(&tally, JCK_LEVEL_MUST), 0);
    assert_verdict(&tally, "CONFORMANT: no new breach (1 known)");
}

static void findings_that_are_known_already_do_not_count(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 1, false);
    const jck_reading_finding finding = {
        .rule = JRPC_SLICE("M-1"), .level = JCK_LEVEL_MUST, .known = true};
    jck_reading_case taken = case_of(JCK_OUTCOME_PASS, &finding);
    assert_true(jck_tally_case(&tally, &taken));
    assert_int_equal(tally.rules.count, 0);
    jck_tally_done(&tally);
}

static void ground_cases_are_not_counted(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 1, false);
    jck_reading_case ground = case_of(JCK_OUTCOME_CRASH, NULL);
    ground.ground = true;
    assert_true(jck_tally_case(&tally, &ground));
    assert_int_equal(tally.cases + tally.breaches + tally.outcomes.count, 0);
    jck_tally_done(&tally);
}

static void a_run_without_an_end_is_never_called_conformant(void **state)
{
    (void)state;
    static const struct {
        jck_reading_finish finish;
        bool finished;
        const char *verdict;
    } table[] = {
        {{0},
         false,
         "CUT SHORT after 1 of 2 cases: the stream ends before the run did; so far no MUST rule "
         "broken"},
        {{.interrupted = true, .judged = 1},
         true,
         "INTERRUPTED after 1 of 2 cases; so far no MUST rule broken"},
        {{.stopped = {"it died", 7}, .judged = 1},
         true,
         "STOPPED after 1 of 2 cases: it died; so far no MUST rule broken"},
        {{.judged = 1}, true, "NOT CONFORMANT: the run says so but names no broken rule"},
        {{.judged = 0}, true, "NOTHING WAS JUDGED: every selected case was skipped or blocked"},
        {{.judged = 1, .conformant = true},
         true,
         "CONFORMANT: no MUST rule broken; stopped after 1 of 2 cases"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jck_tally tally;
        start(&tally, 2, false);
        take(&tally, JCK_OUTCOME_PASS, NULL, JCK_LEVEL_MUST);
        if (table[i].finished) {
            finish(&tally, table[i].finish);
        }
        assert_int_equal(jck_tally_conformant(&tally), table[i].finish.conformant);
        assert_verdict(&tally, table[i].verdict);
    }
}

static void an_orderly_end_is_a_breach_only_with_a_broken_must(void **state)
{
    (void)state;
    const jck_reading_finding must = {.rule = JRPC_SLICE("M"), .level = JCK_LEVEL_MUST};
    const jck_reading_finding should = {.rule = JRPC_SLICE("S"), .level = JCK_LEVEL_SHOULD};
    jck_reading_case ended = case_of(JCK_OUTCOME_ENDED, NULL);
    assert_false(jck_reading_is_breach(&ended, true));
    ended = case_of(JCK_OUTCOME_ENDED, &should);
    assert_false(jck_reading_is_breach(&ended, false));
    ended = case_of(JCK_OUTCOME_ENDED, &must);
    assert_true(jck_reading_is_breach(&ended, false));
    const jck_reading_finding known = {
        .rule = JRPC_SLICE("M"), .level = JCK_LEVEL_MUST, .known = true};
    ended = case_of(JCK_OUTCOME_ENDED, &known);
    assert_false(jck_reading_is_breach(&ended, false));
}

static void the_worst_comes_first_and_equals_keep_their_order(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 9, false);
    static const struct {
        const char *rule;
        jck_level level;
    } taken[] = {{"S-many", JCK_LEVEL_SHOULD}, {"S-many", JCK_LEVEL_SHOULD},
                 {"M-a", JCK_LEVEL_MUST},      {"M-b", JCK_LEVEL_MUST},
                 {"M-two", JCK_LEVEL_MUST},    {"M-two", JCK_LEVEL_MUST}};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        take(&tally, JCK_OUTCOME_FAIL, taken[i].rule, taken[i].level);
    }
    jck_tally_sort(&tally);
    static const char *const order[] = {"M-two", "M-a", "M-b", "S-many"};
    const jck_group *group = tally.rules.first;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++, group = group->next) {
        assert_non_null(group);
        assert_true(jrpc_slice_is(group->name, order[i]));
    }
    assert_null(group);
    jck_tally_done(&tally);
}

static void more_groups_than_there_is_room_for_are_still_counted(void **state)
{
    (void)state;
    jck_tally tally;
    start(&tally, 1, false);
    for (size_t i = 0; i < JCK_GROUPS_MAX + 5; i++) {
        char rule[16];
        (void)snprintf(rule, sizeof rule, "R-%zu", i);
        take(&tally, JCK_OUTCOME_FAIL, rule, JCK_LEVEL_MUST);
    }
    assert_int_equal(tally.rules.count, JCK_GROUPS_MAX);
    assert_int_equal(tally.rules.left_out, 5);
    assert_int_equal(tally.rules.cases, JCK_GROUPS_MAX + 5);
    assert_int_equal(tally.breaches, JCK_GROUPS_MAX + 5);
    jck_tally_done(&tally);
}

static void only_cases_that_depend_on_a_rule_are_counted_under_it(void **state)
{
    (void)state;
    static const char *const codes[] = {"rule-broken", "", "repeats-crash", "driver-mistake"};
    jck_tally tally;
    start(&tally, 4, false);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        jck_reading_case blocked = case_of(JCK_OUTCOME_BLOCKED, NULL);
        blocked.reason_code = jrpc_slice_str(codes[i]);
        blocked.reason = i < 2 ? JRPC_SLICE("it depends on M-1") : jrpc_slice_str(codes[i]);
        blocked.blocked_by = i < 3 ? JRPC_SLICE("M-1") : (jrpc_slice){"", 0};
        assert_true(jck_tally_case(&tally, &blocked));
    }
    assert_int_equal(tally.blocking.cases, 2);
    assert_int_equal(tally.blocking.count, 1);
    assert_true(jrpc_slice_is(tally.blocking.first->name, "M-1"));
    assert_int_equal(tally.reasons.cases, 2);
    assert_int_equal(tally.reasons.count, 2);
    assert_true(jrpc_slice_is(tally.reasons.first->name, "repeats-crash"));
    jck_tally_done(&tally);
}

static void durations_are_for_people(void **state)
{
    (void)state;
    static const struct {
        int64_t us;
        const char *text;
    } table[] = {
        {-1, "0 ms"},
        {999, "0 ms"},
        {412000, "412 ms"},
        {999999, "999 ms"},
        {1000000, "1.0 s"},
        {3290000, "3.2 s"},
        {59999999, "59.9 s"},
        {60000000, "1 min 00 s"},
        {125000000, "2 min 05 s"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 64);
        jck_append_duration(&out, table[i].us);
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&out), table[i].text));
        jrpc_buffer_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conformant_run_says_what_it_did_not_judge),
        cmocka_unit_test(a_run_that_judged_less_than_half_does_not_say_conformant),
        cmocka_unit_test(a_rule_counts_once_however_many_cases_break_it),
        cmocka_unit_test(a_rule_counts_at_its_worst_level_in_whatever_order_cases_come),
        cmocka_unit_test(a_cause_counts_the_cases_at_its_own_level),
        cmocka_unit_test(a_case_that_breaks_a_rule_at_two_steps_counts_once),
        cmocka_unit_test(under_strict_a_warning_is_a_breach),
        cmocka_unit_test(what_the_baseline_expects_breaks_nothing),
        cmocka_unit_test(findings_that_are_known_already_do_not_count),
        cmocka_unit_test(ground_cases_are_not_counted),
        cmocka_unit_test(a_run_without_an_end_is_never_called_conformant),
        cmocka_unit_test(an_orderly_end_is_a_breach_only_with_a_broken_must),
        cmocka_unit_test(the_worst_comes_first_and_equals_keep_their_order),
        cmocka_unit_test(more_groups_than_there_is_room_for_are_still_counted),
        cmocka_unit_test(only_cases_that_depend_on_a_rule_are_counted_under_it),
        cmocka_unit_test(durations_are_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
