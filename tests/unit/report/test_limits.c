// What a report keeps has limits; one below, at and above each of them.
#include "tests/unit/report/report_test.h"

#include "harness/report/matrix.h"
#include "harness/report/tally.h"

#include <stdio.h>

static jck_reading_case case_of(const char *id, const jck_reading_finding *finding)
{
    return (jck_reading_case){
        .id = jrpc_slice_str(id),
        .outcome = JCK_OUTCOME_FAIL,
        .findings = finding,
        .finding_count = 1,
    };
}

static void causes_beyond_the_last_that_is_kept_are_not_listed(void **state)
{
    (void)state;
    for (size_t more = 0; more <= 2; more++) {
        const size_t taken = JCK_CAUSES_MAX - 1 + more;
        jck_tally tally;
        jck_tally_init(&tally, 1);
        for (size_t i = 0; i < taken; i++) {
            char rule[24];
            (void)snprintf(rule, sizeof rule, "R-%zu", i);
            const jck_reading_finding finding = {
                .rule = jrpc_slice_str(rule), .text = JRPC_SLICE("text"), .level = JCK_LEVEL_MUST};
            const jck_reading_case test_case = case_of("a/case", &finding);
            assert_true(jck_tally_case(&tally, &test_case));
        }
        assert_int_equal(tally.causes.count, more < 2 ? taken : JCK_CAUSES_MAX);
        jck_tally_done(&tally);
    }
}

static void what_an_example_keeps_of_a_text_has_a_limit(void **state)
{
    (void)state;
    static char text[JCK_EXHIBIT_BYTES + 1];
    memset(text, 'x', sizeof text);
    for (size_t len = JCK_EXHIBIT_BYTES - 1; len <= JCK_EXHIBIT_BYTES + 1; len++) {
        jck_tally tally;
        jck_tally_init(&tally, 1);
        const jck_reading_finding finding = {
            .rule = JRPC_SLICE("R-1"), .text = jrpc_slice_of(text, len), .level = JCK_LEVEL_MUST};
        const jck_reading_case test_case = case_of("a/case", &finding);
        assert_true(jck_tally_case(&tally, &test_case));
        assert_int_equal(tally.causes.first->exhibits[0].text.len,
                         len > JCK_EXHIBIT_BYTES ? JCK_EXHIBIT_BYTES : len);
        jck_tally_done(&tally);
    }
}

static void cases_and_runs_without_room_in_the_matrix_are_counted(void **state)
{
    (void)state;
    const jck_reading_start start = {.schema = 2};
    const jck_reading_finding finding = {.rule = JRPC_SLICE("R-1"), .level = JCK_LEVEL_MUST};
    jck_matrix matrix;
    assert_true(jck_matrix_init(&matrix));
    assert_true(jck_matrix_begin(&matrix, &start));
    for (size_t i = 0; i <= JCK_MATRIX_CASES_MAX; i++) {
        char id[24];
        (void)snprintf(id, sizeof id, "a/%zu", i);
        const jck_reading_case test_case = case_of(id, &finding);
        assert_true(jck_matrix_take_case(&matrix, &test_case));
        assert_int_equal(matrix.case_count, i < JCK_MATRIX_CASES_MAX ? i + 1 : i);
        assert_int_equal(matrix.left_out, i < JCK_MATRIX_CASES_MAX ? 0 : 1);
    }
    for (size_t i = 1; i <= JCK_MATRIX_RUNS_MAX; i++) {
        assert_true(jck_matrix_begin(&matrix, &start));
        assert_int_equal(matrix.run_count, i < JCK_MATRIX_RUNS_MAX ? i + 1 : i);
        assert_int_equal(matrix.left_out, i < JCK_MATRIX_RUNS_MAX ? 1 : 2);
    }
    jck_matrix_done(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(causes_beyond_the_last_that_is_kept_are_not_listed),
        cmocka_unit_test(what_an_example_keeps_of_a_text_has_a_limit),
        cmocka_unit_test(cases_and_runs_without_room_in_the_matrix_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
