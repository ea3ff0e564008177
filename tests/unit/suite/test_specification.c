// Which rule plays which role for a case: that of its own specification, else of what that builds
// on.
#include "harness/suite/load.h"

#include "tests/unit/suite/folder.h"

#define RULE(id, more)                                                                             \
    "{\"id\":\"" id "\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"s\","     \
    "\"source\":\"s\"" more "}"
#define RULES(name, more, rules)                                                                   \
    "{\"schema\":1,\"specification\":\"" name "\",\"title\":\"t\"," more "\"rules\":[" rules "]}"
#define CASES(suite, rule)                                                                         \
    "{\"schema\":1,\"suite\":\"" suite                                                             \
    "\",\"section\":\"1\",\"title\":\"t\",\"cases\":[{\"id\":\"" suite                             \
    "/a\",\"title\":\"t\",\"rules\":[\"" rule "\"],\"send\":1,\"expect\":\"anything\"}]}"

// clang-format off
static const char base[] = RULES("base", "",
    RULE("B-1", ",\"roles\":[\"same-id\",\"response-id\"],\"ground\":\"base/a\"") ","
    RULE("B-2", ",\"about\":[\"form\",\"code\"]"));
static const char upper[] = RULES("upper", "\"builds-on\":[\"base\"],\"dialect\":\"1.0\",",
    RULE("U-1", ",\"roles\":[\"response-id\"],\"about\":[\"batch\"]"));
static const char apart[] = RULES("apart", "", RULE("A-1", ""));
// clang-format on

static void write_files(folder *f, const char *name, const char *rules, const char *cases)
{
    char path[64];
    (void)snprintf(path, sizeof path, "rules/%s.json", name);
    folder_write(f, path, jrpc_slice_str(rules));
    if (cases != NULL) {
        folder_add(f, name);
        (void)snprintf(path, sizeof path, "%s/01.json", name);
        folder_write(f, path, jrpc_slice_str(cases));
    }
}

static jck_suite *load(folder *f)
{
    jrpc_error error = {0};
    folder_make(f);
    folder_add(f, "rules");
    write_files(f, "base", base, CASES("base", "B-1"));
    write_files(f, "upper", upper, CASES("upper", "B-2"));
    write_files(f, "apart", apart, CASES("apart", "A-1"));
    folder_add(f, "other");
    folder_write(f, "other/01.json", jrpc_slice_str(CASES("other", "U-1")));
    jck_suite *suite = jck_suite_load(f->path, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    return suite;
}

static const char *player(const jck_suite *suite, const char *of_case, jck_role role)
{
    const jck_case *found = jck_suite_find_case(suite, jrpc_slice_str(of_case));
    const jck_rule *rule = jck_suite_role(suite, found, role);
    return rule == NULL ? "" : rule->id.ptr;
}

static void a_role_is_played_by_the_own_rule_else_by_that_of_the_base(void **state)
{
    static const struct {
        const char *of_case;
        jck_role role;
        const char *rule;
    } rows[] = {
        {"base/a", JCK_ROLE_SAME_ID, "B-1"},      {"base/a", JCK_ROLE_RESPONSE_ID, "B-1"},
        {"base/a", JCK_ROLE_STRICT_JSON, ""},     {"base/a", JCK_ROLE_NONE, ""},
        {"upper/a", JCK_ROLE_SAME_ID, "B-1"},     {"upper/a", JCK_ROLE_RESPONSE_ID, "U-1"},
        {"apart/a", JCK_ROLE_SAME_ID, ""},        {"apart/a", JCK_ROLE_RESPONSE_ID, ""},
        {"other/a", JCK_ROLE_RESPONSE_ID, "U-1"}, // no specification of its name: by its first rule
    };
    folder f;
    jck_suite *suite = load(&f);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(strncmp(player(suite, rows[i].of_case, rows[i].role), rows[i].rule,
                                 strlen(rows[i].rule) + (rows[i].rule[0] == '\0')),
                         0);
    }
    jck_suite_free(suite);
    folder_remove(&f);
}

static void a_case_knows_what_its_rules_are_for(void **state)
{
    folder f;
    jck_suite *suite = load(&f);
    const jck_case *of_base = jck_suite_find_case(suite, JRPC_SLICE("base/a"));
    const jck_case *of_upper = jck_suite_find_case(suite, JRPC_SLICE("upper/a"));
    (void)state;
    assert_true(jck_case_names_role(of_base, JCK_ROLE_SAME_ID));
    assert_false(jck_case_names_role(of_base, JCK_ROLE_STRICT_JSON));
    assert_false(jck_case_names_role(of_base, JCK_ROLE_NONE));
    assert_true(jck_case_is_for(suite, of_base, JCK_ROLE_RESPONSE_ID));
    assert_true(jck_case_is_ground_of(suite, of_base, JCK_ROLE_SAME_ID));
    assert_false(jck_case_is_ground_of(suite, of_upper, JCK_ROLE_SAME_ID));
    assert_true(jck_case_is_about(suite, of_upper, JCK_TOPIC_CODE));
    assert_false(jck_case_is_about(suite, of_upper, JCK_TOPIC_BATCH));
    assert_int_equal(jck_suite_specification_of(suite, of_upper)->dialect, JCK_DIALECT_1_0);
    assert_int_equal(jck_suite_specification_of(suite, of_base)->dialect, JCK_DIALECT_2_0);
    jck_suite_free(suite);
    folder_remove(&f);
}

static void what_is_wrong_about_a_specification_is_reported(void **state)
{
    static const struct {
        const char *rules;
        const char *message;
    } rows[] = {
        {RULES("x", "\"builds-on\":[\"y\"],", RULE("X", "")),
         "x builds on \"y\", which the catalogue does not have"},
        {RULES("x", "\"dialect\":\"3.0\",", RULE("X", "")), "the dialect is \"2.0\" or \"1.0\""},
        {RULES("x", "",
               RULE("X", ",\"roles\":[\"same-id\"]") "," RULE("Y", ",\"roles\":[\"same-id\"]")),
         "the rule Y has the role \"same-id\", which X already has"},
        {RULES("x", "", RULE("X", ",\"roles\":[\"no\"]")), "there is no role \"no\""},
        {RULES("x", "", RULE("X", ",\"about\":[\"no\"]")), "there is no topic \"no\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        folder f;
        jrpc_error error = {0};
        folder_make(&f);
        folder_add(&f, "rules");
        write_files(&f, "x", rows[i].rules, NULL);
        assert_null(jck_suite_load(f.path, NULL, NULL, &error));
        assert_string_equal(error.message, rows[i].message);
        assert_int_equal(error.code, JRPC_ERROR_INVALID);
        folder_remove(&f);
    }
}

static void every_role_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < JCK_ROLE_COUNT; i++) {
        jck_role found = JCK_ROLE_NONE;
        assert_true(jck_role_from_name(jrpc_slice_str(jck_role_name((jck_role)i)), &found));
        assert_int_equal(found, i);
    }
    assert_string_equal(jck_role_name(JCK_ROLE_NONE), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_role_is_played_by_the_own_rule_else_by_that_of_the_base),
        cmocka_unit_test(a_case_knows_what_its_rules_are_for),
        cmocka_unit_test(what_is_wrong_about_a_specification_is_reported),
        cmocka_unit_test(every_role_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
