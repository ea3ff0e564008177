// Rules by id: their order, what streams say of them, and where one case leaves them.
#include "tests/unit/report/report_test.h"

#include "harness/report/rulebook.h"

static void numbers_in_ids_stand_by_their_value(void **state)
{
    (void)state;
    static const char *const ordered[] = {"",        "J2-2",   "J2-4",         "J2-4.1",
                                          "J2-4.1a", "J2-4.2", "J2-4.10",      "J2-10",
                                          "JS-1",    "JS-a",   "K-1234567890", "K-1234567891"};
    size_t count = sizeof ordered / sizeof ordered[0];
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            int order = jck_natural_order(jrpc_slice_str(ordered[i]), jrpc_slice_str(ordered[k]));
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
    }
}

static void the_largest_specification_stands_first(void **state)
{
    (void)state;
    static const char *const reported[] = {"A-1", "B-10", "B-2", "C-1"};
    static const char *const sorted[] = {"B-2", "B-10", "A-1", "C-1"};
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 1 << 20);
    jck_rulebook book;
    jck_rulebook_init(&book, &arena);
    for (size_t i = 0; i < 4; i++) {
        const jck_reading_rule rule = {.id = jrpc_slice_str(reported[i]),
                                       .level = JCK_LEVEL_SHOULD};
        assert_true(jck_rulebook_take(&book, &rule));
        assert_true(jck_rulebook_take(&book, &rule));
    }
    assert_int_equal(book.count, 4);
    jck_ruling **rules = jck_rulebook_sorted(&book);
    for (size_t i = 0; i < 4; i++) {
        assert_true(jrpc_slice_is(rules[i]->id, sorted[i]));
        assert_int_equal(rules[i]->level, JCK_LEVEL_SHOULD);
    }
    assert_null(jck_rulebook_find(&book, JRPC_SLICE("D-1")));
    jrpc_arena_done(&arena);
}

static void a_full_book_takes_no_more_and_goes_on(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 1 << 22);
    jck_rulebook book;
    jck_rulebook_init(&book, &arena);
    for (int i = 0; i < JCK_RULINGS_MAX + 5; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "R-%d", i);
        jck_ruling *ruling;
        assert_true(jck_rulebook_enter(&book, jrpc_slice_str(id), &ruling));
        assert_int_equal(ruling != NULL, i < JCK_RULINGS_MAX);
    }
    jrpc_arena_done(&arena);
}

static void a_case_leaves_a_rule_as_its_worst_finding_says(void **state)
{
    (void)state;
    static const jrpc_slice rules[] = {JRPC_SLICE_INIT("A"), JRPC_SLICE_INIT("B")};
    static const jck_reading_finding should[] = {
        {.rule = JRPC_SLICE_INIT("A"), .level = JCK_LEVEL_SHOULD}};
    static const jck_reading_finding both[] = {
        {.rule = JRPC_SLICE_INIT("A"), .level = JCK_LEVEL_SHOULD},
        {.rule = JRPC_SLICE_INIT("A"), .level = JCK_LEVEL_MUST, .known = true},
        {.rule = JRPC_SLICE_INIT("C"), .level = JCK_LEVEL_MUST},
    };
    static const struct {
        jck_outcome outcome;
        const jck_reading_finding *findings;
        size_t count;
        jck_standing standings[3]; // of A, B, C
    } table[] = {
        {JCK_OUTCOME_PASS, NULL, 0, {JCK_STANDING_KEPT, JCK_STANDING_KEPT, JCK_STANDING_UNTESTED}},
        {JCK_OUTCOME_OBSERVE,
         NULL,
         0,
         {JCK_STANDING_OPEN, JCK_STANDING_OPEN, JCK_STANDING_UNTESTED}},
        {JCK_OUTCOME_SKIP,
         both,
         3,
         {JCK_STANDING_UNTESTED, JCK_STANDING_UNTESTED, JCK_STANDING_UNTESTED}},
        {JCK_OUTCOME_WARN,
         should,
         1,
         {JCK_STANDING_SHOULD, JCK_STANDING_KEPT, JCK_STANDING_UNTESTED}},
        {JCK_OUTCOME_FAIL, both, 3, {JCK_STANDING_MUST, JCK_STANDING_KEPT, JCK_STANDING_MUST}},
        {JCK_OUTCOME_CRASH,
         both + 2,
         1,
         {JCK_STANDING_UNTESTED, JCK_STANDING_UNTESTED, JCK_STANDING_DEAD}},
        {JCK_OUTCOME_HANG,
         NULL,
         0,
         {JCK_STANDING_DEAD, JCK_STANDING_UNTESTED, JCK_STANDING_UNTESTED}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const jck_reading_case test_case = {.outcome = table[i].outcome,
                                            .rules = rules,
                                            .rule_count = 2,
                                            .findings = table[i].findings,
                                            .finding_count = table[i].count};
        static const char *const names[] = {"A", "B", "C"};
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(jck_standing_of(&test_case, jrpc_slice_str(names[k])),
                             table[i].standings[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_ids_stand_by_their_value),
        cmocka_unit_test(the_largest_specification_stands_first),
        cmocka_unit_test(a_full_book_takes_no_more_and_goes_on),
        cmocka_unit_test(a_case_leaves_a_rule_as_its_worst_finding_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
