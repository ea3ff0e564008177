// What is the same difference again, and from when on it is known.
#include "harness/judge/repeats.h"

#include "tests/unit/judge/bench.h"

#define CASE ON_CALL(UNKNOWN)

static bool is_same(const char *a, const char *b)
{
    return jck_repeats_difference(JRPC_SLICE("R"), jrpc_slice_str(a)) ==
           jck_repeats_difference(JRPC_SLICE("R"), jrpc_slice_str(b));
}

static void a_difference_is_told_by_its_shape(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        bool same;
    } rows[] = {
        {"x", "x", true},
        {"x", "y", false},
        {"got {\"id\":\"jck-1\",\"result\":19}", "got {\"id\":\"jck-22\",\"result\":-3.5e7}", true},
        {"got {\"id\":\"a\"}", "got {\"id\":7}", false},
        {"got {\"id\":null}", "got {\"id\":7}", false},
        {"got {\"id\":1}", "got {\"di\":1}", false},
        {"got {\"error\":{\"code\":-32601,\"message\":\"a\"}}",
         "got {\"error\":{\"code\":-32601,\"message\":\"\\\"b\\\" {\"}}", true},
        {"got {\"error\":{\"code\":-32601}}", "got {\"error\":{\"code\":-32603}}", false},
        {"got {\"error\":{\"code\":-32601}}", "got {\"error\":{\"code\":1}}", false},
        {"got {\"error\":{\"data\":{\"a\":1}}}", "got {\"error\":{\"data\":{\"b\":[2]}}}", true},
        {"got {\"result\":[1,2],\"id\":1}", "got {\"result\":[{\"a\":\"]\"}],\"id\":2}", true},
        {"got {\"result\":[],\"id\":1}", "got {\"result\":[1],\"id\":2}", false},
        {"got {\"result\":{\"a\":{\"b\":{}}}}", "got {\"result\":{\"a\":{\"b\":1}}}", true},
        {"got {\"result\":{}}", "got {\"result\":{\"a\":1}}", false},
        {"got {\"result\":1e+5}", "got {\"result\":2.5E-17}", true},
        {"got {\"result\":1e+5}", "got {\"result\":\"1e+5\"}", false},
        {"it wrote: -5", "it wrote: 12", true},
        {"got false", "got {\"a\":1}", false},
        {"2 messages came", "13 messages came", true},
        {"expected error -32600", "expected error -32700", false},
        {"it wrote: listening on 8080", "it wrote: GET / 404", true},
        {"it wrote: listening", "it sent: listening", false},
        {"it wrote: 12", "it wrote: null", false},
        {"cut {\"a\":\"b", "cut {\"a\":\"ccc", true},
        {"cut {\"a\":\"b\\", "cut {\"a\":\"c\\\\", true},
        {"]}", "]}", true},
        {"it wrote: null", "it wrote: true", false},
        {"it wrote: false", "it wrote: true", false},
        {"it wrote: nothing", "it wrote: trouble", true}, // text that is not JSON does not count
        {"it wrote: falter", "it wrote: nothing", true},
        // What was expected differs from case to case.
        {"expected error -32600; got {\"id\":1}", "expected error -32700; got {\"id\":2}", true},
        {"expected error -32600; got {\"id\":1}", "expected error -32600; got {\"di\":1}", false},
        {"got a-5", "got a-b", false},
        {"got {\"a\":-5}", "got {\"a\":7}", true},
        {"got {", "got {", true},
        {"got [", "got {", false},
        {"got {\"error\":{\"code\":-31600}}", "got {\"error\":{\"code\":-31700}}", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_same(rows[i].a, rows[i].b) != rows[i].same) {
            fail_msg("%s and %s are%s the same", rows[i].a, rows[i].b, rows[i].same ? " not" : "");
        }
    }
    assert_int_not_equal(jck_repeats_difference(JRPC_SLICE("R"), JRPC_SLICE("x")),
                         jck_repeats_difference(JRPC_SLICE("S"), JRPC_SLICE("x")));
}

// The findings of one more case: the rule and the text of each, and the name of its difference, if
// it has one.
static bool repeats_as(bench *b, jck_repeats *table, const char *rule, const char *text,
                       const char *name)
{
    jrpc_arena arena;
    jck_findings findings;
    char id[32];
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
    jck_findings_init(&findings, &arena, b->suite, jck_suite_find_case(b->suite, bench_id(0, id)));
    jck_add_finding_of(&findings, 0, jrpc_slice_str(rule), "%s", text);
    if (name != NULL) {
        jck_name_difference(&findings, 0, "%s", name);
    }
    jck_repeats_mark(table, &findings);
    bool marked = findings.items[0].repeats;
    assert_false(findings.items[0].known);
    jrpc_arena_done(&arena);
    return marked;
}

static bool repeats(bench *b, jck_repeats *table, const char *rule, const char *text)
{
    return repeats_as(b, table, rule, text, NULL);
}

static void the_fourth_time_is_known(void **state)
{
    static const row rows[] = {{"a case", CASE}};
    static jck_repeats table;
    bench b;
    (void)state;
    bench_load(&b, rows, 1);
    for (unsigned i = 0; i < JCK_REPEATS_REPORTED; i++) {
        assert_false(repeats(&b, &table, "X-must", "got 1"));
    }
    assert_true(repeats(&b, &table, "X-must", "got 2"));
    assert_true(repeats(&b, &table, "X-must", "got 3"));
    assert_false(repeats(&b, &table, "X-should", "got 1"));
    assert_false(repeats(&b, &table, "X-must", "got null"));
    for (unsigned i = 0; i < 2 * JCK_REPEATS_REPORTED; i++) {
        assert_false(
            repeats(&b, &table, "X-open", "got 1")); // what is only observed is not counted
    }
    bench_done(&b);
}

static void a_must_is_reported_once_more_if_only_warnings_were(void **state)
{
    static const row rows[] = {{"a case", CASE}};
    static jck_repeats table;
    bench b;
    (void)state;
    bench_load(&b, rows, 1);
    for (unsigned i = 0; i < JCK_REPEATS_REPORTED; i++) {
        assert_false(repeats_as(&b, &table, "X-should", "got 1", "a name"));
    }
    assert_true(repeats_as(&b, &table, "X-should", "got 1", "a name"));
    assert_false(repeats_as(&b, &table, "X-must", "got 1", "a name"));
    assert_true(repeats_as(&b, &table, "X-must", "got 1", "a name"));
    assert_true(repeats_as(&b, &table, "X-should", "got 1", "a name"));
    bench_done(&b);
}

static void what_is_accepted_is_reported_once_more_under_each_rule(void **state)
{
    static const row rows[] = {{"a case", CASE}};
    static const struct {
        const char *name;
        bool of_each_rule;
    } names[] = {
        {JCK_DIFFERENCE_READ, true},
        {JCK_DIFFERENCE_RESULT, true},
        {JCK_DIFFERENCE_SERVED, true},
        {"error -32603 where -32600 is owed", false},
    };
    bench b;
    (void)state;
    bench_load(&b, rows, 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        static jck_repeats tables[sizeof names / sizeof names[0]];
        jck_repeats *table = &tables[i];
        const char *name = names[i].name;
        for (unsigned k = 0; k < JCK_REPEATS_REPORTED; k++) {
            assert_false(repeats_as(&b, table, "X-must", "got 1", name));
        }
        assert_true(repeats_as(&b, table, "X-must", "got 1", name));
        assert_true(repeats_as(&b, table, "X-should", "got 1", name) != names[i].of_each_rule);
        assert_true(repeats_as(&b, table, "X-should", "got 1", name));
    }
    bench_done(&b);
}

static void what_is_known_is_not_counted(void **state)
{
    static const row rows[] = {{"a case", CASE}};
    static jck_repeats table;
    bench b;
    char id[32];
    (void)state;
    bench_load(&b, rows, 1);
    for (unsigned i = 0; i < 2 * JCK_REPEATS_REPORTED; i++) {
        jrpc_arena arena;
        jck_findings findings;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
        jck_findings_init(&findings, &arena, b.suite,
                          jck_suite_find_case(b.suite, bench_id(0, id)));
        jck_add_finding_of(&findings, 0, JRPC_SLICE("X-must"), "got 1");
        findings.items[0].known = true;
        jck_repeats_mark(&table, &findings);
        assert_false(findings.items[0].repeats);
        jrpc_arena_done(&arena);
    }
    assert_int_equal(table.count, 0);
    bench_done(&b);
}

static void a_full_table_marks_nothing_new(void **state)
{
    static const row rows[] = {{"a case", CASE}};
    static jck_repeats table;
    bench b;
    (void)state;
    bench_load(&b, rows, 1);
    table.count = JCK_REPEATS_MAX;
    for (unsigned i = 0; i < 2 * JCK_REPEATS_REPORTED; i++) {
        assert_false(repeats(&b, &table, "X-must", "got 1"));
    }
    assert_int_equal(table.count, JCK_REPEATS_MAX);
    bench_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_is_told_by_its_shape),
        cmocka_unit_test(the_fourth_time_is_known),
        cmocka_unit_test(a_must_is_reported_once_more_if_only_warnings_were),
        cmocka_unit_test(what_is_accepted_is_reported_once_more_under_each_rule),
        cmocka_unit_test(what_is_known_is_not_counted),
        cmocka_unit_test(a_full_table_marks_nothing_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
