// Baselines: what is refused, what is expected, what a run makes of them.
#include "harness/baseline/baseline.h"

#include "tests/unit/suite/folder.h"

static const char rules[] =
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"rules\":[{\"id\":\"R-1\",\"level\":"
    "\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"s\",\"source\":\"s\"}]}";
static const char cases[] =
    "{\"schema\":1,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\",\"cases\":["
    "{\"id\":\"a/one\",\"title\":\"t\",\"rules\":[\"R-1\"],\"catches\":[\"f\"],\"send\":[],"
    "\"expect\":\"nothing\"},"
    "{\"id\":\"a/two\",\"title\":\"t\",\"rules\":[\"R-1\"],\"catches\":[\"f\"],\"send\":[],"
    "\"expect\":\"nothing\",\"aliases\":[\"a/second\"]},"
    "{\"id\":\"a/three\",\"title\":\"t\",\"rules\":[\"R-1\"],\"catches\":[\"f\"],\"send\":[],"
    "\"expect\":\"nothing\"}]}";

typedef struct fixture {
    folder files;
    jck_suite *suite;
} fixture;

static int set_up(void **state)
{
    static fixture fixed;
    jrpc_error error = {0};
    folder_make(&fixed.files);
    folder_add(&fixed.files, "rules");
    folder_add(&fixed.files, "s");
    folder_write(&fixed.files, "rules/s.json", jrpc_slice_str(rules));
    folder_write(&fixed.files, "s/01.json", jrpc_slice_str(cases));
    fixed.suite = jck_suite_load(fixed.files.path, NULL, NULL, &error);
    if (fixed.suite == NULL) {
        fail_msg("%s", error.message);
    }
    *state = &fixed;
    return 0;
}

static int tear_down(void **state)
{
    fixture *fixed = *state;
    jck_suite_free(fixed->suite);
    folder_remove(&fixed->files);
    return 0;
}

static const jck_case *case_named(const fixture *fixed, const char *id)
{
    const jck_case *found = jck_suite_find_case(fixed->suite, jrpc_slice_str(id));
    assert_non_null(found);
    return found;
}

// Wrong files: what is said, and where.
static const struct {
    const char *text;
    size_t line, column;
    const char *words;
} refused[] = {
    {"", 1, 1, ""},
    {"{\n  \"schema\": 1,\n", 3, 1, ""},
    {"[]", 1, 1, "a baseline is an Object"},
    {"{\"entries\":[]}", 1, 1, "\"schema\": 1"},
    {"{\"schema\":2,\"entries\":[]}", 1, 11, "\"schema\": 1"},
    {"{\"schema\":1}", 1, 1, "\"entries\""},
    {"{\"schema\":1,\"entries\":{}}", 1, 23, "\"entries\""},
    {"{\"schema\":1,\"entries\":[\n 3]}", 2, 2, "an entry is an Object"},
    {"{\"schema\":1,\"entries\":[\n{\"outcome\":\"fail\",\"reason\":\"r\"}]}", 2, 1, "\"case\""},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/tow\",\"outcome\":\"fail\",\"reason\":\"r\"}]}", 2,
     9, "did you mean \"a/two\"?"},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/one\",\"reason\":\"r\"}]}", 2, 1, "\"outcome\""},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/one\",\"outcome\":\"pass\",\"reason\":\"r\"}]}", 2,
     27, "not an outcome that a baseline can expect"},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/one\",\"outcome\":\"blocked\",\"reason\":\"r\"}]}",
     2, 27, "not an outcome that a baseline can expect"},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/one\",\"outcome\":\"fail\"}]}", 2, 1,
     "has no \"reason\""},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/one\",\"outcome\":\"fail\",\"reason\":\"\"}]}", 2,
     43, "say why"},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/one\",\"outcome\":\"fail\",\"reason\":7}]}", 2, 43,
     "say why"},
    {"{\"schema\":1,\"entries\":[\n{\"case\":\"a/one\",\"outcome\":\"fail\",\"reason\":\"r\","
     "\"flaky\":false}]}",
     2, 55, "set \"flaky\" to true only"},
    {"{\"schema\":1,\"entries\":[{\"case\":\"a/two\",\"outcome\":\"fail\",\"reason\":\"r\"},\n"
     "{\"case\":\"a/second\",\"outcome\":\"fail\",\"reason\":\"r\"}]}",
     2, 1, "already has an entry at line 1"},
};

static void what_is_wrong_in_a_file_is_reported_with_its_place(void **state)
{
    const fixture *fixed = *state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        jck_baseline baseline;
        diagnostics t = {0};
        jck_baseline_init(&baseline, fixed->suite);
        assert_false(jck_baseline_read(&baseline, jrpc_slice_str(refused[i].text), "b.json", false,
                                       tell, &t));
        if (t.count != 1 || t.all[0].line != refused[i].line ||
            t.all[0].column != refused[i].column ||
            strstr(t.all[0].message, refused[i].words) == NULL) {
            fail_msg("%s\ngave %zu: %zu:%zu: %s", refused[i].text, t.count, t.all[0].line,
                     t.all[0].column, t.all[0].message);
        }
        assert_string_equal(t.all[0].source, "b.json");
        jck_baseline_done(&baseline);
    }
}

static const char whole[] =
    "{\n"
    "  \"schema\": 1,\n"
    "  \"$comment\": \"kept \\u00e9\",\n"
    "  \"target\": \"mine\",\n"
    "  \"entries\": [\n"
    "    { \"case\": \"a/one\", \"outcome\": \"fail\", \"reason\": \"it is old\", \"note\": [1.0] "
    "},\n"
    "    { \"case\": \"a/second\", \"outcome\": \"crash\", \"reason\": \"issue 12\" }\n"
    "  ]\n"
    "}\n";

static void every_prefix_of_a_file_is_refused(void **state)
{
    const fixture *fixed = *state;
    // The last byte is a line feed, without which the file is whole too.
    for (size_t len = 0; len + 2 < sizeof whole; len++) {
        jck_baseline baseline;
        diagnostics t = {0};
        jck_baseline_init(&baseline, fixed->suite);
        assert_false(
            jck_baseline_read(&baseline, jrpc_slice_of(whole, len), "b.json", false, tell, &t));
        assert_int_equal(t.count, 1);
        jck_baseline_done(&baseline);
    }
}

static void read_whole(jck_baseline *baseline, const fixture *fixed)
{
    diagnostics t = {0};
    jck_baseline_init(baseline, fixed->suite);
    if (!jck_baseline_read(baseline, jrpc_slice_str(whole), "b.json", false, tell, &t)) {
        fail_msg("%s", t.all[0].message);
    }
}

static void an_entry_expects_its_case_and_its_outcome_only(void **state)
{
    const fixture *fixed = *state;
    jck_baseline baseline;
    read_whole(&baseline, fixed);
    assert_true(jck_baseline_expects(&baseline, case_named(fixed, "a/one"), JCK_OUTCOME_FAIL));
    assert_false(jck_baseline_expects(&baseline, case_named(fixed, "a/one"), JCK_OUTCOME_CRASH));
    assert_false(jck_baseline_expects(&baseline, case_named(fixed, "a/one"), JCK_OUTCOME_PASS));
    assert_true(jck_baseline_expects(&baseline, case_named(fixed, "a/two"), JCK_OUTCOME_CRASH));
    assert_false(jck_baseline_expects(&baseline, case_named(fixed, "a/three"), JCK_OUTCOME_FAIL));
    jck_baseline_done(&baseline);
}

static void record(jck_baseline *baseline, const char *id, jck_outcome outcome, bool adding)
{
    static const jrpc_slice broken[] = {JRPC_SLICE_INIT("R-1")};
    bool breach = outcome == JCK_OUTCOME_FAIL || outcome >= JCK_OUTCOME_STUCK;
    const jck_recorded recorded = {.id = jrpc_slice_str(id),
                                   .outcome = outcome,
                                   .breach = breach,
                                   .rules = broken,
                                   .rule_count = breach ? 1 : 0};
    jck_baseline_record(baseline, &recorded, adding);
}

// What one or two executions of a/one, expected to fail, make of its entry.
static const struct {
    jck_outcome outcomes[2];
    size_t count;
    jck_entry_state state;
} states[] = {
    {{JCK_OUTCOME_FAIL}, 0, JCK_ENTRY_UNRUN},
    {{JCK_OUTCOME_FAIL}, 1, JCK_ENTRY_HOLDS},
    {{JCK_OUTCOME_PASS}, 1, JCK_ENTRY_STALE},
    {{JCK_OUTCOME_WARN}, 1, JCK_ENTRY_STALE},
    {{JCK_OUTCOME_CRASH}, 1, JCK_ENTRY_CHANGED},
    {{JCK_OUTCOME_FAIL, JCK_OUTCOME_PASS}, 2, JCK_ENTRY_STALE},
    {{JCK_OUTCOME_PASS, JCK_OUTCOME_FAIL}, 2, JCK_ENTRY_STALE},
    {{JCK_OUTCOME_HANG, JCK_OUTCOME_PASS}, 2, JCK_ENTRY_CHANGED},
};

static void an_entry_holds_is_stale_or_has_changed(void **state)
{
    const fixture *fixed = *state;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        jck_baseline baseline;
        read_whole(&baseline, fixed);
        for (size_t k = 0; k < states[i].count; k++) {
            record(&baseline, "a/one", states[i].outcomes[k], false);
        }
        if (baseline.entries[0].state != states[i].state) {
            fail_msg("row %zu gives state %d", i, (int)baseline.entries[0].state);
        }
        assert_int_equal(baseline.entries[1].state, JCK_ENTRY_UNRUN);
        jck_baseline_done(&baseline);
    }
}

static void assert_written(const jck_baseline *baseline, const char *expected)
{
    jrpc_buffer out;
    jrpc_error error = {0};
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 65536);
    assert_true(jck_baseline_write(baseline, JRPC_SLICE("a \"target\""), &out, &error));
    assert_true(jrpc_buffer_append_char(&out, '\0'));
    assert_string_equal(out.ptr, expected);
    jrpc_buffer_done(&out);
}

// The same where the entry is flaky: passing is expected as well, but no other breach.
static const struct {
    jck_outcome outcomes[2];
    size_t count;
    jck_entry_state state;
} flaky_states[] = {
    {{JCK_OUTCOME_FAIL}, 1, JCK_ENTRY_HOLDS},
    {{JCK_OUTCOME_PASS}, 1, JCK_ENTRY_HOLDS},
    {{JCK_OUTCOME_PASS, JCK_OUTCOME_FAIL}, 2, JCK_ENTRY_HOLDS},
    {{JCK_OUTCOME_PASS, JCK_OUTCOME_CRASH}, 2, JCK_ENTRY_CHANGED},
};

static void a_flaky_entry_holds_when_its_case_passes_too(void **state)
{
    const fixture *fixed = *state;
    static const char text[] =
        "{\n  \"schema\": 1,\n  \"entries\": [\n    { \"case\": \"a/one\", \"outcome\": \"fail\", "
        "\"flaky\": true, \"reason\": \"dice\" }\n  ]\n}\n";
    for (size_t i = 0; i < sizeof flaky_states / sizeof flaky_states[0]; i++) {
        jck_baseline baseline;
        jck_baseline_init(&baseline, fixed->suite);
        assert_true(
            jck_baseline_read(&baseline, jrpc_slice_str(text), "b.json", false, NULL, NULL));
        for (size_t k = 0; k < flaky_states[i].count; k++) {
            record(&baseline, "a/one", flaky_states[i].outcomes[k], true);
        }
        assert_int_equal(baseline.entries[0].state, flaky_states[i].state);
        if (flaky_states[i].state == JCK_ENTRY_HOLDS) {
            assert_written(&baseline, text);
        }
        jck_baseline_done(&baseline);
    }
}

static void a_flaky_entry_stands_for_every_way_to_lose_the_target(void **state)
{
    const fixture *fixed = *state;
    static const char entry[] =
        "{\"schema\":1,\"entries\":[{\"case\":\"a/one\",\"outcome\":\"crash\",%s"
        "\"reason\":\"a slow death\"}]}";
    static const jck_outcome losses[] = {JCK_OUTCOME_CRASH, JCK_OUTCOME_HANG, JCK_OUTCOME_STUCK};
    for (size_t i = 0; i < 2 * sizeof losses / sizeof losses[0]; i++) {
        bool flaky = i % 2 == 0;
        jck_outcome loss = losses[i / 2];
        char text[200];
        (void)snprintf(text, sizeof text, entry, flaky ? "\"flaky\":true," : "");
        jck_baseline baseline;
        jck_baseline_init(&baseline, fixed->suite);
        assert_true(
            jck_baseline_read(&baseline, jrpc_slice_str(text), "b.json", false, NULL, NULL));
        bool holds = flaky || loss == JCK_OUTCOME_CRASH;
        assert_true(jck_baseline_expects(&baseline, baseline.entries[0].test_case, loss) == holds);
        assert_false(
            jck_baseline_expects(&baseline, baseline.entries[0].test_case, JCK_OUTCOME_FAIL));
        record(&baseline, "a/one", loss, true);
        assert_int_equal(baseline.entries[0].state, holds ? JCK_ENTRY_HOLDS : JCK_ENTRY_CHANGED);
        jck_baseline_done(&baseline);
    }
}

static void a_baseline_that_holds_is_written_as_it_was(void **state)
{
    const fixture *fixed = *state;
    jck_baseline baseline;
    read_whole(&baseline, fixed);
    record(&baseline, "a/one", JCK_OUTCOME_FAIL, true);
    assert_written(&baseline, whole);
    jck_baseline_done(&baseline);
}

static void an_update_keeps_reasons_and_comments_drops_stale_entries_and_adds_new_ones(void **state)
{
    const fixture *fixed = *state;
    jck_baseline baseline;
    read_whole(&baseline, fixed);
    record(&baseline, "a/one", JCK_OUTCOME_HANG, true);
    record(&baseline, "a/two", JCK_OUTCOME_PASS, true);
    record(&baseline, "a/three", JCK_OUTCOME_FAIL, true);
    record(&baseline, "a/three", JCK_OUTCOME_PASS, true);
    assert_written(&baseline,
                   "{\n"
                   "  \"schema\": 1,\n"
                   "  \"$comment\": \"kept \\u00e9\",\n"
                   "  \"target\": \"mine\",\n"
                   "  \"entries\": [\n"
                   "    { \"case\": \"a/one\", \"outcome\": \"hang\", \"reason\": \"it is old\", "
                   "\"note\": [1.0] },\n"
                   "    { \"case\": \"a/three\", \"outcome\": \"fail\", \"reason\": \"\", "
                   "\"rules\": [\"R-1\"] }\n"
                   "  ]\n"
                   "}\n");
    jck_baseline_done(&baseline);
}

static void a_first_baseline_is_made_of_what_was_found(void **state)
{
    const fixture *fixed = *state;
    jck_baseline baseline;
    jck_baseline_init(&baseline, fixed->suite);
    record(&baseline, "a/one", JCK_OUTCOME_PASS, true);
    assert_written(&baseline, "{\n  \"schema\": 1,\n  \"target\": \"a \\\"target\\\"\",\n"
                              "  \"entries\": []\n}\n");
    record(&baseline, "a/two", JCK_OUTCOME_FAIL, false);
    assert_int_equal(baseline.count, 0);
    record(&baseline, "a/two", JCK_OUTCOME_FAIL, true);
    assert_false(jck_baseline_expects(&baseline, case_named(fixed, "a/two"), JCK_OUTCOME_FAIL));
    assert_written(&baseline, "{\n  \"schema\": 1,\n  \"target\": \"a \\\"target\\\"\",\n"
                              "  \"entries\": [\n    { \"case\": \"a/two\", \"outcome\": \"fail\", "
                              "\"reason\": \"\", \"rules\": [\"R-1\"] }\n  ]\n}\n");
    jck_baseline_done(&baseline);
}

static void a_baseline_about_to_be_rewritten_may_lack_reasons(void **state)
{
    const fixture *fixed = *state;
    static const char text[] = "{\"schema\":1,\"entries\":[{\"case\":\"a/one\",\"outcome\":"
                               "\"fail\",\"reason\":\"\"},{\"case\":\"a/two\",\"outcome\":\"fail\"}"
                               "]}";
    jck_baseline baseline;
    diagnostics t = {0};
    jck_baseline_init(&baseline, fixed->suite);
    assert_true(jck_baseline_read(&baseline, jrpc_slice_str(text), "b.json", true, tell, &t));
    assert_int_equal(t.count, 0);
    assert_int_equal(baseline.count, 2);
    jck_baseline_done(&baseline);
}

static void writing_into_a_full_buffer_is_an_error(void **state)
{
    const fixture *fixed = *state;
    for (size_t room = 0; room < sizeof whole - 1; room++) {
        jck_baseline baseline;
        jrpc_buffer out;
        jrpc_error error = {0};
        read_whole(&baseline, fixed);
        jrpc_buffer_init(&out, jrpc_allocator_heap(), room);
        assert_false(jck_baseline_write(&baseline, JRPC_SLICE("t"), &out, &error));
        assert_int_equal(error.code, JRPC_ERROR_LIMIT);
        jrpc_buffer_done(&out);
        jck_baseline_done(&baseline);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_in_a_file_is_reported_with_its_place),
        cmocka_unit_test(every_prefix_of_a_file_is_refused),
        cmocka_unit_test(an_entry_expects_its_case_and_its_outcome_only),
        cmocka_unit_test(an_entry_holds_is_stale_or_has_changed),
        cmocka_unit_test(a_flaky_entry_holds_when_its_case_passes_too),
        cmocka_unit_test(a_flaky_entry_stands_for_every_way_to_lose_the_target),
        cmocka_unit_test(a_baseline_that_holds_is_written_as_it_was),
        cmocka_unit_test(
            an_update_keeps_reasons_and_comments_drops_stale_entries_and_adds_new_ones),
        cmocka_unit_test(a_first_baseline_is_made_of_what_was_found),
        cmocka_unit_test(a_baseline_about_to_be_rewritten_may_lack_reasons),
        cmocka_unit_test(writing_into_a_full_buffer_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
