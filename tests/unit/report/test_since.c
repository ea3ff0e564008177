// What changed between two runs.
#include "tests/unit/report/report_test.h"

#include "harness/report/formats.h"
#include "harness/report/since.h"

static const jck_since_side absent = {.there = false};

static jck_since_side side(jck_outcome outcome, bool breach, const char *rules,
                           const char *observed)
{
    return (jck_since_side){.there = true,
                            .outcome = outcome,
                            .breach = breach,
                            .rules = jrpc_slice_str(rules),
                            .observed = jrpc_slice_str(observed)};
}

static void a_change_is_named_by_where_the_case_was_and_is(void **state)
{
    (void)state;
    const jck_since_side pass = side(JCK_OUTCOME_PASS, false, "", "");
    const jck_since_side open = side(JCK_OUTCOME_OBSERVE, false, "", "J2-4j refused");
    const jck_since_side warn = side(JCK_OUTCOME_WARN, false, "J2-4a ", "");
    const jck_since_side fail = side(JCK_OUTCOME_FAIL, true, "J2-6d ", "");
    const jck_since_side fail_otherwise = side(JCK_OUTCOME_FAIL, true, "J2-5a ", "");
    const jck_since_side crash = side(JCK_OUTCOME_CRASH, true, "J2-6d ", "");
    const jck_since_side skip = side(JCK_OUTCOME_SKIP, false, "", "");
    const struct {
        const jck_since_side *old;
        const jck_since_side *now;
        int kind; // -1: no change
    } table[] = {
        {&pass, &pass, -1},
        {&fail, &fail, -1},
        {&skip, &skip, -1},
        {&open, &open, -1},
        {&pass, &fail, JCK_CHANGE_BROKEN},
        {&pass, &warn, JCK_CHANGE_BROKEN},
        {&warn, &crash, JCK_CHANGE_BROKEN},
        {&fail, &pass, JCK_CHANGE_FIXED},
        {&fail, &warn, JCK_CHANGE_FIXED},
        {&warn, &open, JCK_CHANGE_FIXED},
        {&fail, &crash, JCK_CHANGE_OTHERWISE},
        {&fail, &fail_otherwise, JCK_CHANGE_OTHERWISE},
        {&pass, &open, JCK_CHANGE_CHOICE},
        {&fail, &skip, JCK_CHANGE_UNJUDGED},
        {&pass, &skip, JCK_CHANGE_UNJUDGED},
        {&skip, &fail, JCK_CHANGE_NEW_WRONG},
        {&absent, &warn, JCK_CHANGE_NEW_WRONG},
        {&absent, &pass, JCK_CHANGE_ADDED},
        {&absent, &skip, JCK_CHANGE_ADDED},
        {&skip, &pass, JCK_CHANGE_ADDED},
        {&pass, &absent, JCK_CHANGE_GONE},
        {&fail, &absent, JCK_CHANGE_GONE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const jck_since_case test_case = {.old = *table[i].old, .now = *table[i].now};
        jck_change_kind kind;
        bool changed = jck_since_kind(&test_case, &kind);
        assert_int_equal(changed ? (int)kind : -1, table[i].kind);
    }
}

static void hostile_runs_stay_within_their_text(void **state)
{
    (void)state;
    const jck_report_format *const formats[] = {&jck_since_console, &jck_since_markdown,
                                                &jck_since_html};
    char *conformant = golden("conformant.ndjson");
    char *hostile = golden("hostile.ndjson");
    for (size_t i = 0; i < 3; i++) {
        jrpc_buffer both;
        jrpc_buffer_init(&both, jrpc_allocator_heap(), 1 << 20);
        (void)jrpc_buffer_append_str(&both, conformant);
        (void)jrpc_buffer_append_str(&both, hostile);
        char *text = rendered_by(formats[i], jrpc_buffer_slice(&both),
                                 (jck_report_options){.since = true, .verbose = true});
        assert_non_null(strstr(text, "owned"));
        assert_null(strchr(text, '\033'));
        assert_null(strstr(text, "\xe2\x80\xae"));
        assert_true(i == 0 || strstr(text, "<script>alert") == NULL);
        free(text);
        jrpc_buffer_done(&both);
    }
    free(hostile);
    free(conformant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_named_by_where_the_case_was_and_is),
        cmocka_unit_test(hostile_runs_stay_within_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
