// Which cases run.
#include "harness/suite/select.h"

#include "tests/unit/suite/folder.h"

static const struct {
    const char *pattern;
    const char *id;
    bool matches;
} patterns[] = {
    {"batch/empty", "batch/empty", true},
    {"batch/empty", "batch/empty-array", false},
    {"batch/empty-array", "batch/empty", false},
    {"batch/*", "batch/empty", true},
    {"batch/*", "batch/", true},
    {"batch/*", "batch/a/b", false},
    {"batch/**", "batch/a/b", true},
    {"*", "batch", true},
    {"*", "batch/a", false},
    {"**", "batch/a/b", true},
    {"**", "", true},
    {"*/a", "b/a", true},
    {"*/a", "c/b/a", false},
    {"**/a", "c/b/a", true},
    {"**/a", "a", false},
    {"**a*", "xx/ya/zab", true},
    {"**a*", "xx/ya/zb", false},
    {"*a*b*c", "xaxxbxbxc", true},
    {"*a*b*c", "xaxxbxbx", false},
    {"**/x*y/**z", "a/b/x1y/c/dz", true},
    {"**/x*y/**z", "a/b/x1/y/c/dz", false},
    {"?atch/?", "batch/x", true},
    {"?atch/?", "batch/", false},
    {"a?b", "a/b", false},
    {"J2-5.?d", "J2-5.1d", true},
    {"", "", true},
    {"", "a", false},
};

static void patterns_match_within_and_across_segments(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (jck_pattern_matches(patterns[i].pattern, jrpc_slice_str(patterns[i].id)) !=
            patterns[i].matches) {
            fail_msg("%s and %s", patterns[i].pattern, patterns[i].id);
        }
    }
}

static void a_hostile_pattern_takes_no_long_time(void **state)
{
    (void)state;
    char pattern[400];
    char id[2001];
    memset(id, 'a', sizeof id - 1);
    id[sizeof id - 1] = '\0';
    for (size_t i = 0; i < sizeof pattern - 4; i += 4) {
        memcpy(pattern + i, "**a*", 4);
    }
    memcpy(pattern + sizeof pattern - 4, "**b", 4);
    assert_false(jck_pattern_matches(pattern, jrpc_slice_str(id)));
}

#define RULES(spec) "{\"schema\":1,\"specification\":\"" spec "\",\"title\":\"t\",\"rules\":["
#define RULE(id)                                                                                   \
    "{\"id\":\"" id                                                                                \
    "\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\",\"source\":\"y\"}"
#define CASES(suite)                                                                               \
    "{\"schema\":1,\"suite\":\"" suite "\",\"section\":\"1\",\"title\":\"t\",\"cases\":["
#define CASE(id, rule, rest)                                                                       \
    "{\"id\":\"" id "\",\"title\":\"t\",\"rules\":[\"" rule                                        \
    "\"],\"send\":1,\"expect\":\"nothing\"" rest "}"

// In file order: json: j/one; jsonrpc-1.0: old/one; jsonrpc-2.0: batch/one,
// batch/two (R-2, once batch/deux), id/one (R-3.x).
static jck_suite *load(folder *f)
{
    jrpc_error error = {0};
    folder_make(f);
    folder_add(f, "rules");
    folder_add(f, "json");
    folder_add(f, "jsonrpc-1.0");
    folder_add(f, "jsonrpc-2.0");
    folder_write(f, "rules/r.json",
                 jrpc_slice_str(RULES("r") RULE("R-1") "," RULE("R-2") "," RULE("R-3.x") "," RULE(
                     "R-bare") "]}"));
    folder_write(f, "json/1.json", jrpc_slice_str(CASES("json") CASE("j/one", "R-1", "") "]}"));
    folder_write(f, "jsonrpc-1.0/1.json",
                 jrpc_slice_str(CASES("jsonrpc-1.0")
                                    CASE("old/one", "R-2", ",\"needs\":[\"framing:line\"]") "]}"));
    folder_write(f, "jsonrpc-2.0/1.json",
                 jrpc_slice_str(CASES("jsonrpc-2.0") CASE("batch/one", "R-1", "") "," CASE(
                     "batch/two", "R-2",
                     ",\"aliases\":[\"batch/deux\"]") "," CASE("id/one", "R-3.x", "") "]}"));
    jck_suite *suite = jck_suite_load(f->path, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    return suite;
}

static const struct {
    const char *suites[3], *only[3], *skip[3];
    const char *selected; // a digit for each case in file order; NULL: refused
    const char *says;     // what the refusal says
} selections[] = {
    {{NULL}, {NULL}, {NULL}, "10111", NULL},
    {{"jsonrpc-1.0"}, {NULL}, {NULL}, "01000", NULL},
    {{"jsonrpc-1.0", "json"}, {NULL}, {NULL}, "11000", NULL},
    {{NULL}, {"batch/*"}, {NULL}, "00110", NULL},
    {{NULL}, {"batch/deux"}, {NULL}, "00010", NULL},
    {{NULL}, {"R-1"}, {NULL}, "10100", NULL},
    {{NULL}, {"R-3.*"}, {NULL}, "00001", NULL},
    {{NULL}, {"jsonrpc-2.0/**"}, {NULL}, "00111", NULL},
    {{NULL}, {"**"}, {"R-2", "j/*"}, "00101", NULL},
    {{NULL}, {"j/one", "id/one"}, {NULL}, "10001", NULL},
    {{NULL}, {NULL}, {"**/one"}, "00010", NULL},
    {{NULL}, {NULL}, {"**"}, "00000", NULL},
    {{"jsonrpc"}, {NULL}, {NULL}, NULL, "known are json, jsonrpc-1.0, jsonrpc-2.0"},
    {{NULL}, {"batch/tow"}, {NULL}, NULL, "did you mean \"batch/two\"?"},
    {{NULL}, {NULL}, {"batch/three/*"}, NULL, "\"batch/three/*\""},
    {{NULL}, {"batch/one", "zzz"}, {NULL}, NULL, "\"zzz\""},
    {{NULL}, {"old/*"}, {NULL}, NULL, "--suite jsonrpc-1.0"},
    {{NULL}, {"R-bare"}, {NULL}, NULL, "the rule R-bare has no case"},
};

static size_t count_of(const char *const *list)
{
    size_t count = 0;
    while (count < 3 && list[count] != NULL) {
        count++;
    }
    return count;
}

static void a_suite_joins_the_default_ones_where_the_target_declares_it(void **state)
{
    static const jrpc_slice declared[] = {JRPC_SLICE_INIT("authorization"),
                                          JRPC_SLICE_INIT("jsonrpc-1.0")};
    static const char *const json[] = {"json"};
    static const struct {
        size_t declared, suites;
        const char *also, *need;
        const char *selected;
    } rows[] = {
        {0, 0, NULL, NULL, "10111"},
        {1, 0, NULL, NULL, "10111"},
        {2, 0, NULL, NULL, "11111"},
        {2, 1, NULL, NULL, "10000"},
        {1, 0, "jsonrpc-1.0", NULL, "11111"},
        {0, 1, "jsonrpc-1.0", NULL, "10000"},
        {0, 0, "jsonrpc-1.0", "framing:line", "11111"},
        {0, 0, "jsonrpc-1.0", "framing:length32", "10111"},
        {2, 0, "jsonrpc-1.0", "framing:length32", "11111"},
    };
    (void)state;
    folder f;
    jck_suite *suite = load(&f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool selected[5] = {false};
        char digits[6] = "";
        jrpc_error error = {0};
        const jck_selection selection = {.suites = json,
                                         .suite_count = rows[i].suites,
                                         .also = rows[i].also,
                                         .also_need = rows[i].need,
                                         .declared = declared,
                                         .declared_count = rows[i].declared};
        assert_true(jck_select(suite, &selection, selected, &error));
        for (size_t j = 0; j < 5; j++) {
            digits[j] = selected[j] ? '1' : '0';
        }
        assert_string_equal(digits, rows[i].selected);
    }
    jck_suite_free(suite);
    folder_remove(&f);
}

static void suites_and_patterns_select_cases_or_say_why_not(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load(&f);
    assert_int_equal(jck_suite_case_count(suite), 5);
    for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++) {
        bool selected[5] = {false};
        char digits[6] = "";
        jrpc_error error = {0};
        jck_selection selection = {.suites = selections[i].suites,
                                   .suite_count = count_of(selections[i].suites),
                                   .only = selections[i].only,
                                   .only_count = count_of(selections[i].only),
                                   .skip = selections[i].skip,
                                   .skip_count = count_of(selections[i].skip)};
        bool done = jck_select(suite, &selection, selected, &error);
        for (size_t j = 0; j < 5; j++) {
            digits[j] = selected[j] ? '1' : '0';
        }
        if (selections[i].selected != NULL) {
            assert_string_equal(error.message, "");
            assert_true(done);
            assert_string_equal(digits, selections[i].selected);
        } else {
            assert_false(done);
            assert_int_equal(error.code, JRPC_ERROR_USAGE);
            assert_string_equal(digits, "00000");
            if (strstr(error.message, selections[i].says) == NULL) {
                fail_msg("%s, not %s", error.message, selections[i].says);
            }
        }
    }
    jck_suite_free(suite);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_within_and_across_segments),
        cmocka_unit_test(a_hostile_pattern_takes_no_long_time),
        cmocka_unit_test(a_suite_joins_the_default_ones_where_the_target_declares_it),
        cmocka_unit_test(suites_and_patterns_select_cases_or_say_why_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
