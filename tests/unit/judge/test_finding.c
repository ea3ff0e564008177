// What is written down: levels, once a step, excerpts that can be printed.
#include "tests/unit/judge/bench.h"

static const row rows[] = {
    {"",
     "\"rules\":[\"X-must\"],\"level-of\":{\"X-should\":\"O\"},\"send\":1,\"expect\":\"nothing\"",
     {0},
     ""},
};

typedef struct fixture {
    bench b;
    jrpc_arena arena;
    jck_findings findings;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    bench_load(&f.b, rows, 1);
    jrpc_arena_init(&f.arena, jrpc_allocator_heap(), BENCH_BYTES);
    jck_findings_init(&f.findings, &f.arena, f.b.suite,
                      jck_suite_find_case(f.b.suite, JRPC_SLICE("t/0")));
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    jrpc_arena_done(&f->arena);
    bench_done(&f->b);
    return 0;
}

static void a_finding_has_the_level_of_its_rule_in_this_case(void **state)
{
    fixture *f = *state;
    static const struct {
        jrpc_slice rule;
        jck_level level;
    } levels[] = {{JRPC_SLICE_INIT("X-must"), JCK_LEVEL_MUST},
                  {JRPC_SLICE_INIT("X-should"), JCK_LEVEL_OBSERVE}, // the case says so
                  {JRPC_SLICE_INIT("SEC-c"), JCK_LEVEL_SHOULD},
                  {JRPC_SLICE_INIT("X-open"), JCK_LEVEL_OBSERVE},
                  {JRPC_SLICE_INIT("unheard-of"), JCK_LEVEL_MUST}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        jck_add_finding_of(&f->findings, 0, levels[i].rule, "number %zu", i);
        assert_int_equal(f->findings.items[i].level, levels[i].level);
        assert_true(jrpc_slice_equal(f->findings.items[i].rule, levels[i].rule));
    }
    assert_true(jrpc_slice_is(f->findings.items[3].text, "number 3"));
    jck_add_finding_of_at(&f->findings, 1, JRPC_SLICE("X-must"), JCK_LEVEL_SHOULD, "x");
    assert_int_equal(f->findings.items[5].level, JCK_LEVEL_SHOULD);
}

static void a_rule_is_written_down_once_a_step(void **state)
{
    fixture *f = *state;
    for (int round = 0; round < 3; round++) {
        for (int step = 0; step < 20; step++) {
            jck_add_finding_of(&f->findings, step, JRPC_SLICE("X-must"), "round %d", round);
            jck_add_finding_of(&f->findings, step, JRPC_SLICE("X-open"), "round %d", round);
        }
    }
    assert_int_equal(f->findings.count, 40);
    for (size_t i = 0; i < f->findings.count; i++) {
        assert_true(jrpc_slice_is(f->findings.items[i].text, "round 0"));
        assert_int_equal(f->findings.items[i].step, (int)i / 2);
    }
}

static void an_observation_is_written_down_once(void **state)
{
    fixture *f = *state;
    for (int round = 0; round < 2; round++) {
        for (int letter = 'a'; letter <= 'j'; letter++) {
            char c = (char)letter;
            jck_observe(&f->findings, JRPC_SLICE("name"), jrpc_slice_of(&c, 1));
            jck_observe(&f->findings, jrpc_slice_of(&c, 1), JRPC_SLICE("value"));
        }
    }
    assert_int_equal(f->findings.observation_count, 20);
    assert_true(jrpc_slice_is(f->findings.observations[18].value, "j")); // copied
}

static void findings_without_memory_have_failed(void **state)
{
    fixture *f = *state;
    jrpc_arena small;
    jck_findings findings;
    jrpc_arena_init(&small, jrpc_allocator_heap(), 8);
    jck_findings_init(&findings, &small, f->b.suite, f->findings.test_case);
    jck_add_finding_of(&findings, 0, JRPC_SLICE("X-must"), "x");
    assert_int_equal(findings.count, 0);
    assert_true(findings.failed);
    jck_findings_init(&findings, &small, f->b.suite, f->findings.test_case);
    jck_observe(&findings, JRPC_SLICE("a"), JRPC_SLICE("b"));
    assert_int_equal(findings.observation_count, 0);
    assert_true(findings.failed);
    assert_string_equal(jck_excerpt(&small, JRPC_SLICE("abcdefghi"), 9), "?");
    jrpc_arena_done(&small);
}

static void an_excerpt_is_printable_and_says_where_it_was_cut(void **state)
{
    fixture *f = *state;
    static const struct {
        jrpc_slice bytes;
        size_t max;
        const char *text;
    } excerpts[] = {
        {JRPC_SLICE_INIT(""), 5, ""},
        {JRPC_SLICE_INIT("ab ~"), 4, "ab ~"},
        {JRPC_SLICE_INIT("abcde"), 4, "abcd…"},
        {JRPC_SLICE_INIT("\0\x1f\x7f\xff\n"), 9, "\\x00\\x1f\\x7f\\xff\\x0a"},
        {JRPC_SLICE_INIT("\xC3\xA9"), 1, "\\xc3…"},
        {JRPC_SLICE_INIT("d\xC3\xA9j\xC3\xA0 \xE6\x9C\xAC \xF0\x9F\x98\x80"), 20,
         "d\xC3\xA9j\xC3\xA0 \xE6\x9C\xAC \xF0\x9F\x98\x80"},
        // A mark that turns text around, an invisible one, a control of C1.
        {JRPC_SLICE_INIT("\xE2\x80\xAE\xE2\x80\x8B\xC2\x9B"), 9,
         "\\xe2\\x80\\xae\\xe2\\x80\\x8b\\xc2\\x9b"},
        {JRPC_SLICE_INIT("\\x41 \\n \\"), 9, "\\x5cx41 \\n \\"},
        {JRPC_SLICE_INIT("abc"), 0, "…"},
    };
    for (size_t i = 0; i < sizeof excerpts / sizeof excerpts[0]; i++) {
        assert_string_equal(jck_excerpt(&f->arena, excerpts[i].bytes, excerpts[i].max),
                            excerpts[i].text);
    }
}

static void a_case_names_the_rules_that_it_lists(void **state)
{
    fixture *f = *state;
    assert_true(jck_case_names(f->findings.test_case, JRPC_SLICE("X-must")));
    assert_false(jck_case_names(f->findings.test_case, JRPC_SLICE("X-mus")));
    assert_false(jck_case_names(f->findings.test_case, JRPC_SLICE("")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_finding_has_the_level_of_its_rule_in_this_case),
        TEST(a_rule_is_written_down_once_a_step),
        TEST(an_observation_is_written_down_once),
        TEST(findings_without_memory_have_failed),
        TEST(an_excerpt_is_printable_and_says_where_it_was_cut),
        TEST(a_case_names_the_rules_that_it_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
