// Loading: what right files become, and that the project's own files are right.
#include "harness/suite/load.h"

#include "tests/unit/suite/folder.h"

static const char rules[] =
    "{\"schema\":1,\"specification\":\"spec\",\"title\":\"t\",\"url\":\"u\",\"rules\":[\n"
    "{\"id\":\"S-1\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\","
    "\"source\":\"y\","
    "\"ground\":\"a/b\"},\n"
    "{\"id\":\"S-2\",\"level\":\"O\",\"section\":\"4.1\",\"title\":\"t\",\"sentence\":\"x\","
    "\"source\":\"y\","
    "\"stands-on\":[\"S-1\"],\"lenient\":true,\"judge\":\"because\"}]}";

static const char cases[] =
    "{\"schema\":1,\"suite\":\"s\",\"section\":\"6\",\"title\":\"t\",\"cases\":[\n"
    "{\"id\":\"a/b\",\"title\":\"one\",\"rules\":[\"S-1\",\"S-2\"],\"catches\":[\"f\",\"g\"],\n"
    " \"needs\":[\"echo\"],\"aliases\":[\"old/b\"],\"level-of\":{\"S-1\":\"S\"},\"hazard\":true,\n"
    " \"send\":{\"a\" : 1.0},\"expect\":{\"any-of\":[\n"
    "   {\"as\":\"warn\",\"result\":[1],\"rule\":\"S-2\",\"id\":{\"a\":[]}},\n"
    "   "
    "{\"error\":{\"code\":1},\"as\":\"observe:other\"},{\"batch\":[{\"id\":1}]},{\"closed\":true}],"
    "\"else\":\"S-2\"}},\n"
    "{\"id\":\"a/"
    "c\",\"title\":\"two\",\"rules\":[\"S-1\"],\"needs\":[\"connections\"],\"steps\":[\n"
    " {\"on\":\"b\",\"send-hex\":\"7b 7D\",\"raw\":true,\"chunks\":[1]},\n"
    " {\"send-text\":\"x\",\"expect\":{\"rejected\":\"S-2\"}},\n"
    " {\"receive\":[{\"id\":1,\"$times\":2}],\"order\":\"exact\"},\n"
    " {\"receive\":[{\"id\":2}],\"within\":\"async\",\"on\":\"b\"},\n"
    " {\"reply\":{\"result\":1}},{\"fence\":true},{\"close\":\"write\"},\n"
    " {\"repeat\":3,\"steps\":[{\"fence\":true},{\"send\":1}]},{\"fence\":true}]}]}";

static jck_suite *load_example(folder *f)
{
    jrpc_error error = {0};
    folder_make(f);
    folder_add(f, "rules");
    folder_add(f, "s");
    folder_write(f, "rules/s.json", jrpc_slice_str(rules));
    folder_write(f, "s/01.json", jrpc_slice_str(cases));
    folder_write(f, "s/README.md", jrpc_slice_str("no cases"));
    folder_write(f, "README.md", jrpc_slice_str("no suite"));
    jck_suite *suite = jck_suite_load(f->path, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    assert_non_null(suite);
    return suite;
}

static void rules_become_what_their_files_say(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_example(&f);
    assert_int_equal(jck_suite_rule_count(suite), 2);
    const jck_rule *first = jck_suite_find_rule(suite, JRPC_SLICE("S-1"));
    const jck_rule *second = jck_suite_rule(suite, 1);
    assert_ptr_equal(first, jck_suite_rule(suite, 0));
    assert_int_equal(first->level, JCK_LEVEL_MUST);
    assert_true(jrpc_slice_is(first->ground, "a/b"));
    assert_false(first->lenient);
    assert_int_equal(first->line, 2);
    assert_non_null(strstr(first->file, "rules/s.json"));
    assert_int_equal(second->level, JCK_LEVEL_OBSERVE);
    assert_true(jrpc_slice_is(second->specification, "spec"));
    assert_true(jrpc_slice_is(second->section, "4.1"));
    assert_true(second->lenient);
    assert_int_equal(second->stands_on_count, 1);
    assert_true(jrpc_slice_is(second->stands_on[0], "S-1"));
    assert_true(jrpc_slice_is(second->judge, "because"));
    assert_int_equal(second->client.len, 0);
    assert_null(jck_suite_find_rule(suite, JRPC_SLICE("S-3")));
    assert_string_equal(jck_level_name(JCK_LEVEL_MUST), "MUST");
    assert_string_equal(jck_level_name(JCK_LEVEL_SHOULD), "SHOULD");
    assert_string_equal(jck_level_name(JCK_LEVEL_OBSERVE), "OBSERVE");
    jck_suite_free(suite);
    folder_remove(&f);
}

static void a_case_of_one_step_becomes_what_its_file_says(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_example(&f);
    const jck_case *one = jck_suite_case(suite, 0);
    assert_int_equal(jck_suite_case_count(suite), 2);
    assert_ptr_equal(jck_suite_find_case(suite, JRPC_SLICE("a/b")), one);
    assert_ptr_equal(jck_suite_find_case(suite, JRPC_SLICE("old/b")), one);
    assert_null(jck_suite_find_case(suite, JRPC_SLICE("a")));
    assert_true(jrpc_slice_is(one->suite, "s") && jrpc_slice_is(one->section, "6"));
    assert_int_equal(one->line, 2);
    assert_true(one->hazard);
    assert_int_equal(one->rule_count, 2);
    assert_int_equal(one->catch_count, 2);
    assert_int_equal(jck_case_level(one, jck_suite_rule(suite, 0)), JCK_LEVEL_SHOULD);
    assert_int_equal(jck_case_level(one, jck_suite_rule(suite, 1)), JCK_LEVEL_OBSERVE);
    assert_int_equal(one->step_count, 1);
    assert_int_equal(one->steps[0].connection, 'a');
    const jck_expect *expect = &one->steps[0].expect;
    assert_int_equal(expect->kind, JCK_EXPECT_ANY_OF);
    assert_true(jrpc_slice_is(expect->otherwise, "S-2"));
    assert_int_equal(expect->alternative_count, 4);
    const jck_expect *warn = &expect->alternatives[0];
    assert_int_equal(warn->kind, JCK_EXPECT_RESPONSE);
    assert_int_equal(warn->taken_as, JCK_TAKEN_AS_WARN);
    assert_true(jrpc_slice_is(warn->rule, "S-2"));
    assert_int_equal(expect->alternatives[1].taken_as, JCK_TAKEN_AS_OBSERVE);
    assert_true(jrpc_slice_is(expect->alternatives[1].observation, "other"));
    assert_int_equal(expect->alternatives[2].kind, JCK_EXPECT_BATCH);
    assert_int_equal(expect->alternatives[2].taken_as, JCK_TAKEN_AS_PASS);
    assert_int_equal(expect->alternatives[3].kind, JCK_EXPECT_CLOSED);
    jck_suite_free(suite);
    folder_remove(&f);
}

static void the_pattern_of_an_alternative_is_without_as_and_rule(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_example(&f);
    jrpc_json pattern = jck_suite_case(suite, 0)->steps[0].expect.alternatives[0].pattern;
    assert_int_equal(jrpc_json_count(pattern), 2);
    assert_false(jrpc_json_exists(jrpc_json_get(pattern, "as")));
    assert_false(jrpc_json_exists(jrpc_json_get(pattern, "rule")));
    assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(pattern, "result")), "[1]"));
    jrpc_json id = jrpc_json_get(pattern, "id");
    assert_true(jrpc_slice_is(jrpc_json_spelling(id), "{\"a\":[]}"));
    assert_true(jrpc_json_is(jrpc_json_get(id, "a"), JRPC_JSON_ARRAY));
    size_t seen = 0;
    jrpc_json_iterator members = jrpc_json_iterate(pattern);
    while (jrpc_json_step(&members)) {
        seen++;
    }
    assert_int_equal(seen, 2);
    jck_suite_free(suite);
    folder_remove(&f);
}

static void steps_become_what_their_file_says(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_example(&f);
    const jck_case *two = jck_suite_case(suite, 1);
    const jck_step *steps = two->steps;
    assert_int_equal(two->step_count, 14);
    assert_int_equal(steps[0].kind, JCK_STEP_SEND);
    assert_int_equal(steps[0].connection, 'b');
    assert_int_equal(steps[0].payload.kind, JCK_PAYLOAD_BYTES);
    assert_true(jrpc_slice_is(steps[0].payload.text, "{}"));
    assert_true(steps[0].payload.raw);
    assert_int_equal(steps[0].payload.chunk_count, 1);
    assert_int_equal(steps[0].payload.chunks[0], 1);
    assert_int_equal(steps[0].expect.kind, JCK_EXPECT_UNSTATED);
    assert_int_equal(steps[1].expect.kind, JCK_EXPECT_REJECTED);
    assert_true(jrpc_slice_is(steps[1].expect.rule, "S-2"));
    assert_int_equal(steps[2].kind, JCK_STEP_RECEIVE);
    assert_true(steps[2].exact_order);
    assert_true(jrpc_slice_is(steps[2].within, "reply"));
    assert_int_equal(jrpc_json_count(steps[2].patterns), 1);
    assert_false(steps[3].exact_order);
    assert_true(jrpc_slice_is(steps[3].within, "async"));
    assert_int_equal(steps[3].connection, 'b');
    assert_int_equal(steps[4].kind, JCK_STEP_REPLY);
    assert_true(jrpc_json_exists(jrpc_json_get(steps[4].reply, "result")));
    assert_int_equal(steps[5].kind, JCK_STEP_FENCE);
    assert_int_equal(steps[6].kind, JCK_STEP_CLOSE);
    assert_int_equal(steps[6].round.count, 0);
    for (unsigned i = 0; i < 6; i++) {
        const jck_step *step = &steps[7 + i];
        assert_int_equal(step->kind, i % 2 == 0 ? JCK_STEP_FENCE : JCK_STEP_SEND);
        assert_int_equal(step->round.index, i / 2);
        assert_int_equal(step->round.place, i % 2);
        assert_int_equal(step->round.count, 3);
        assert_int_equal(step->round.steps, 2);
    }
    assert_int_equal(steps[13].round.count, 0);
    jck_suite_free(suite);
    folder_remove(&f);
}

static void print_diagnostic(void *context, const jrpc_error *error)
{
    char text[1024];
    (void)context;
    jrpc_error_format(error, text, sizeof text);
    print_error("%s\n", text);
}

// The test runs in the root of the source tree unless the environment says where the cases are.
static void the_cases_of_the_project_load_without_a_diagnostic(void **state)
{
    (void)state;
    const char *directory = getenv("JRPCHECK_CASES");
    jrpc_error error = {0};
    jck_suite *suite =
        jck_suite_load(directory == NULL ? "cases" : directory, print_diagnostic, NULL, &error);
    assert_non_null(suite);
    assert_true(jck_suite_case_count(suite) > 300);
    assert_true(jck_suite_rule_count(suite) > 150);
    jck_suite_free(suite);
}

static void keep_diagnostic(void *context, const jrpc_error *error)
{
    jrpc_error_format(error, context, 400);
}

// Params of a client's call that are spelled by repetition: up to 50000 bytes of JSON, as they are.
static void repeated_params_are_text_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *suffix;
        const char *told; // NULL: nothing
    } table[] = {
        {"\\\"]", NULL},
        {"$${id}\\\"]", NULL},
        {"${id}\\\"]", "params-repeat has a variable"},
        {"", "params-repeat spells no JSON"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        folder f;
        char text[800];
        char told[400] = "";
        jrpc_error error = {0};
        folder_make(&f);
        folder_add(&f, "rules");
        folder_add(&f, "s");
        folder_write(
            &f, "rules/s.json",
            jrpc_slice_str("{\"schema\":1,\"specification\":\"spec\",\"title\":\"t\",\"url\":"
                           "\"u\",\"rules\":[{\"id\":\"S-1\",\"level\":\"M\",\"section\":\"1\","
                           "\"title\":\"t\",\"sentence\":\"x\",\"source\":\"y\"}]}"));
        (void)snprintf(
            text, sizeof text,
            "{\"schema\":1,\"suite\":\"s\",\"section\":\"6\",\"title\":\"t\",\"cases\":[{\"id\":"
            "\"c/a\",\"role\":\"client\",\"title\":\"one\",\"rules\":[\"S-1\"],\"catches\":[\"f\"],"
            "\"steps\":[{\"do\":\"call\",\"as\":\"one\",\"method\":\"m\",\"params-repeat\":{"
            "\"prefix\":\"[\\\"\",\"unit\":\"x\",\"times\":2,\"suffix\":\"%s\"}},"
            "{\"hear\":[\"one\"]}]}]}",
            table[i].suffix);
        folder_write(&f, "s/01.json", jrpc_slice_str(text));
        jck_suite *suite = jck_suite_load(f.path, keep_diagnostic, told, &error);
        if (table[i].told == NULL) {
            assert_string_equal(told, "");
            assert_non_null(suite);
        } else if (strstr(told, table[i].told) == NULL) {
            fail_msg("%s: %s", table[i].told, told);
        }
        jck_suite_free(suite);
        folder_remove(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_become_what_their_files_say),
        cmocka_unit_test(a_case_of_one_step_becomes_what_its_file_says),
        cmocka_unit_test(the_pattern_of_an_alternative_is_without_as_and_rule),
        cmocka_unit_test(steps_become_what_their_file_says),
        cmocka_unit_test(repeated_params_are_text_of_their_own),
        cmocka_unit_test(the_cases_of_the_project_load_without_a_diagnostic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
