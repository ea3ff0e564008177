// Profiles: what their files may say, and what becomes of a suite under them.
#include "harness/suite/profile.h"

#include "harness/suite/load.h"
#include "harness/suite/sends.h"
#include "tests/unit/suite/folder.h"

static const char rules[] =
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"rules\":[\n"
    "{\"id\":\"R-1\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\","
    "\"source\":\"y\"},\n"
    "{\"id\":\"R-2\",\"level\":\"S\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\","
    "\"source\":\"y\"}]}";

static const char cases[] =
    "{\"schema\":1,\"suite\":\"s\",\"section\":\"6\",\"title\":\"t\",\"cases\":[\n"
    "{\"id\":\"a/one\",\"title\":\"t\",\"rules\":[\"R-1\"],\"level-of\":{\"R-1\":\"S\"},"
    "\"send\":{\"id\":1},\"expect\":{\"result\":1}},\n"
    "{\"id\":\"a/two\",\"title\":\"t\",\"rules\":[\"R-2\"],\"hazard\":true,\"steps\":["
    "{\"send\":[1],\"expect\":[{\"id\":null}]},{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"x\"},"
    "\"expect\":\"nothing\"}"
    ","
    "{\"send\":{\"id\":null},\"expect\":{\"error\":{}}}]},\n"
    "{\"id\":\"b/three\",\"title\":\"t\",\"rules\":[\"R-2\"],\"needs\":[\"echo/by-name\"],"
    "\"send-text\":\"{\\\"id\\\": 1.5, \\\"params\\\": []}\",\"expect\":\"nothing\"}]}";

#define WHY "\"sentence\":\"s\",\"source\":\"t\""
#define PROFILE(name, members) "{\"schema\":1,\"profile\":\"" name "\",\"title\":\"t\"" members "}"

static jck_suite *load_suite(folder *f)
{
    jrpc_error error = {0};
    folder_make(f);
    folder_add(f, "rules");
    folder_add(f, "s");
    folder_add(f, "profiles");
    folder_write(f, "rules/s.json", jrpc_slice_str(rules));
    folder_write(f, "s/01.json", jrpc_slice_str(cases));
    jck_suite *suite = jck_suite_load(f->path, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    assert_non_null(suite);
    return suite;
}

static const jck_profile *load(jck_suite *suite, folder *f, const char *word)
{
    jrpc_error error = {0};
    const jck_profile *profile = jck_profile_load(suite, f->path, word, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    assert_non_null(profile);
    return profile;
}

static void end(jck_suite *suite, folder *f)
{
    jck_suite_free(suite);
    folder_remove(f);
}

static void the_default_profile_needs_no_file(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_suite(&f);
    const jck_profile *profile = load(suite, &f, JCK_PROFILE_DEFAULT);
    bool selected[3] = {true, true, true};
    assert_true(jrpc_slice_is(profile->name, "spec"));
    assert_null(profile->suites);
    assert_int_equal(profile->change_count, 0);
    assert_true(jck_profile_apply(suite, profile, NULL));
    jck_profile_restrict(suite, profile, selected);
    assert_true(selected[0] && selected[1] && selected[2]);
    assert_int_equal(jck_suite_rule(suite, 0)->level, JCK_LEVEL_MUST);
    end(suite, &f);
}

static void a_level_of_a_profile_outweighs_that_of_a_case(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_suite(&f);
    const jck_rule *rule = jck_suite_rule(suite, 0);
    const jck_case *one = jck_suite_case(suite, 0);
    folder_write(&f, "profiles/p.json",
                 JRPC_SLICE(PROFILE("p", ",\"levels\":[{\"rules\":[\"R-1\"],\"level\":\"M\"," WHY
                                         "},{\"rules\":[\"R-2\"],\"level\":\"off\"," WHY "}]")));
    assert_int_equal(jck_case_level(one, rule), JCK_LEVEL_SHOULD);
    const jck_profile *profile = load(suite, &f, "p");
    assert_int_equal(jck_case_level(one, rule), JCK_LEVEL_SHOULD); // only loaded so far
    assert_true(jck_profile_apply(suite, profile, NULL));
    assert_int_equal(jck_case_level(one, rule), JCK_LEVEL_MUST);
    assert_false(rule->off);
    assert_true(jck_suite_rule(suite, 1)->off);
    bool selected[3] = {true, true, true};
    jck_profile_restrict(suite, profile, selected);
    assert_true(selected[0] && !selected[1] && !selected[2]); // R-2 decides the other two
    assert_true(jck_change_concerns_rule(&profile->changes[0], JRPC_SLICE("R-1")));
    assert_false(jck_change_concerns_rule(&profile->changes[0], JRPC_SLICE("R-2")));
    assert_false(jck_change_concerns_case(&profile->changes[0], one));
    end(suite, &f);
}

static void answers_do_for_calls_and_refused_batches_only(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_suite(&f);
    folder_write(
        &f, "profiles/p.json",
        JRPC_SLICE(PROFILE(
            "p", ",\"accept\":[{\"cases\":[\"a/*\"],\"answers\":[{\"error\":{},\"as\":\"warn\","
                 "\"rule\":\"R-2\"}]," WHY "},{\"sends\":[\"batch\"],\"answers\":"
                 "[{\"nothing\":true},{\"error\":{}}]," WHY "}]")));
    assert_true(jck_profile_apply(suite, load(suite, &f, "p"), NULL));
    const jck_case *one = jck_suite_case(suite, 0);
    const jck_case *two = jck_suite_case(suite, 1);
    assert_int_equal(one->steps[0].expect.kind, JCK_EXPECT_RESPONSE);
    assert_int_equal(one->steps[0].expect.accepted_count, 1);
    assert_int_equal(one->steps[0].expect.accepted[0].taken_as, JCK_TAKEN_AS_WARN);
    assert_true(jrpc_slice_is(one->steps[0].expect.accepted[0].rule, "R-2"));
    // The later change is tried first.
    assert_int_equal(two->steps[0].expect.accepted_count, 3);
    assert_int_equal(two->steps[0].expect.accepted[0].kind, JCK_EXPECT_NOTHING);
    assert_int_equal(two->steps[0].expect.accepted[2].taken_as, JCK_TAKEN_AS_WARN);
    assert_int_equal(two->steps[1].expect.accepted_count, 0); // silence is owed
    assert_int_equal(two->steps[2].expect.accepted_count, 1);
    assert_int_equal(jck_suite_case(suite, 2)->steps[0].expect.accepted_count, 0);
    end(suite, &f);
}

static void a_notification_may_be_refused_where_notifications_are_named(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_suite(&f);
    folder_write(&f, "profiles/p.json",
                 JRPC_SLICE(PROFILE("p", ",\"accept\":[{\"sends\":[\"notification\"],"
                                         "\"answers\":[{\"error\":{}}]," WHY "}]")));
    assert_true(jck_profile_apply(suite, load(suite, &f, "p"), NULL));
    const jck_case *two = jck_suite_case(suite, 1);
    assert_int_equal(two->steps[0].expect.accepted_count, 0);
    assert_int_equal(two->steps[1].expect.accepted_count, 1);
    assert_int_equal(two->steps[2].expect.accepted_count, 0);
    end(suite, &f);
}

static void cases_are_left_out_by_pattern_hazard_need_and_message(void **state)
{
    static const struct {
        const char *leave_out;
        const char *left; // 1 for each case that stays
    } rows[] = {
        {"\"cases\":[\"a/*\"]", "001"},
        {"\"cases\":[\"R-2\"]", "100"},
        {"\"hazards\":true", "101"},
        {"\"methods\":true", "110"},
        {"\"sends\":[\"batch\"]", "101"},
        {"\"sends\":[\"null-id\"]", "101"},
        {"\"sends\":[\"fractional-id\"]", "110"},
        {"\"sends\":[\"positional\"]", "110"},
        {"\"sends\":[\"wide-id\"]", "111"},
        {"\"sends\":[\"notification\"]", "101"},
        {"\"sends\":[\"not-by-name\"]", "000"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        folder f;
        char text[512];
        bool selected[3] = {true, true, true};
        jck_suite *suite = load_suite(&f);
        (void)snprintf(text, sizeof text, PROFILE("p", ",\"leave-out\":[{%s," WHY "}]"),
                       rows[i].leave_out);
        folder_write(&f, "profiles/p.json", jrpc_slice_str(text));
        jck_profile_restrict(suite, load(suite, &f, "p"), selected);
        for (size_t c = 0; c < 3; c++) {
            assert_int_equal(selected[c], rows[i].left[c] == '1');
        }
        end(suite, &f);
    }
}

static void a_profile_takes_over_what_it_extends(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_suite(&f);
    folder_write(&f, "profiles/base.json",
                 JRPC_SLICE(PROFILE("base", ",\"suites\":[\"s\"],\"strict\":true,"
                                            "\"framing\":\"length32\",\"levels\":[{\"rules\":"
                                            "[\"R-1\"],\"level\":\"O\"," WHY "}]")));
    folder_write(&f, "profiles/p.json",
                 JRPC_SLICE(PROFILE(
                     "p", ",\"extends\":\"base\",\"strict\":false,\"discover\":"
                          "false,\"levels\":[{\"rules\":[\"R-1\"],\"level\":\"S\"," WHY "}]")));
    const jck_profile *profile = load(suite, &f, "p");
    assert_true(jrpc_slice_is(profile->name, "p"));
    assert_true(jrpc_slice_is(profile->extends, "base"));
    assert_int_equal(profile->suite_count, 1);
    assert_string_equal(profile->suites[0], "s");
    assert_false(profile->strict);
    assert_true(profile->no_discover);
    assert_int_equal(profile->framing, JRPC_FRAMING_LENGTH32);
    assert_int_equal(profile->change_count, 2);
    assert_true(jrpc_slice_is(profile->changes[0].profile, "base"));
    assert_true(jck_profile_apply(suite, profile, NULL));
    assert_int_equal(jck_suite_rule(suite, 0)->level, JCK_LEVEL_SHOULD); // the later one holds
    end(suite, &f);
}

static void a_target_keeps_what_it_says_itself(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_suite(&f);
    char *argv[] = {(char[]){"server"}, NULL};
    jrpc_error error = {0};
    static const int seven = 7;
    folder_write(&f, "profiles/p.json",
                 JRPC_SLICE(PROFILE("p", ",\"framing\":\"content-length\",\"declares\":[\"x\"],"
                                         "\"requests\":{\"m\":null},\"prelude\":[{\"send\":{}}],"
                                         "\"statuses\":[1,3]")));
    const jck_profile *profile = load(suite, &f, "p");
    for (int own = 0; own < 2; own++) {
        jck_target target;
        assert_true(jck_target_from_command(&target, argv, &error));
        const jck_step none = {.kind = JCK_STEP_FENCE};
        target.framing_given = own == 1;
        target.prelude = own == 1 ? &none : NULL; // an empty list
        target.orderly_statuses = own == 1 ? &seven : NULL;
        target.orderly_status_count = own == 1 ? 1 : 0;
        assert_true(jck_profile_adopt(profile, &target, &error));
        assert_true(jrpc_slice_is(target.profile, "p"));
        assert_int_equal(target.framing,
                         own == 1 ? JRPC_FRAMING_LINE : JRPC_FRAMING_CONTENT_LENGTH);
        assert_int_equal(target.prelude_count, own == 1 ? 0 : 1);
        assert_int_equal(target.orderly_status_count, own == 1 ? 1 : 2);
        assert_int_equal(target.orderly_statuses[0], own == 1 ? 7 : 1);
        assert_int_equal(target.declare_count, 1);
        assert_int_equal(jrpc_json_count(target.requests), 1);
        jck_target_done(&target);
    }
    end(suite, &f);
}

// What is wrong in a file is reported with its place.
static const struct {
    const char *text;
    const char *expected;
    size_t line, column;
} wrong[] = {
    {PROFILE("p", ",\n\"levles\":[]"), "did you mean \"levels\"", 2, 1},
    {PROFILE("q", ""), "the file is p.json", 1, 23},
    {PROFILE("p", ",\n\"suites\":[\"t\"]"), "there is no suite \"t\"", 2, 11},
    {PROFILE("p", ",\n\"suites\":[]"), "suites is empty", 2, 10},
    {PROFILE("p", ",\n\"client-suites\":7"), "client-suites is a Number", 2, 17},
    {PROFILE("p", ",\n\"levels\":[{\"rules\":[\"R-3\"],\"level\":\"M\"," WHY "}]"),
     "no rule \"R-3\"", 2, 21},
    {PROFILE("p", ",\n\"levels\":[{\"rules\":[\"R-1\"],\"level\":\"X\"," WHY "}]"),
     "\"M\", \"S\", \"O\" or \"off\"", 2, 36},
    {PROFILE("p", ",\n\"levels\":[{\"rules\":[\"R-1\"],\"level\":\"M\",\"source\":\"t\"}]"),
     "sentence", 2, 11},
    {PROFILE("p", ",\n\"levels\":[{\"rules\":[\"R-1\"],\"level\":\"M\",\"sentence\":\"t\"}]"),
     "source", 2, 11},
    {PROFILE("p", ",\n\"accept\":[{\"cases\":[\"a/onne\"],\"answers\":[{\"error\":{}}]," WHY "}]"),
     "did you mean \"a/one\"", 2, 21},
    {PROFILE("p", ",\n\"accept\":[{\"cases\":[\"a/one\"]," WHY "}]"), "\"answers\" is missing", 2,
     11},
    {PROFILE("p", ",\n\"accept\":[{\"answers\":[{\"error\":{}}]," WHY "}]"), "no case is named", 2,
     11},
    {PROFILE("p", ",\n\"leave-out\":[{" WHY "}]"), "no case is named", 2, 14},
    {PROFILE("p", ",\n\"leave-out\":[{\"sends\":[\"batches\"]," WHY "}]"),
     "known are batch, positional", 2, 24},
    {PROFILE("p", ",\n\"framing\":\"lines\""), "unknown framing", 2, 11},
    {PROFILE("p", ",\n\"extends\":\"pp\""), "did you mean \"p\"", 2, 11},
    {PROFILE("p", ",\n\"extends\":\"p\""), "in a cycle", 2, 11},
    {PROFILE("p", ",\n\"prelude\":[{}]"), "the step does nothing", 2, 12},
    {"{\"schema\":1,\"title\":\"t\"}", "\"profile\" is missing", 1, 1},
    {"{", "", 1, 2},
};

static void what_is_wrong_is_reported_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        folder f;
        diagnostics all = {0};
        jrpc_error error = {0};
        jck_suite *suite = load_suite(&f);
        folder_write(&f, "profiles/p.json", jrpc_slice_str(wrong[i].text));
        assert_null(jck_profile_load(suite, f.path, "p", tell, &all, &error));
        assert_int_equal(all.count, 1);
        if (strstr(all.all[0].message, wrong[i].expected) == NULL) {
            fail_msg("row %zu: %s", i, all.all[0].message);
        }
        assert_non_null(strstr(all.all[0].source, "profiles/p.json"));
        if (all.all[0].line != wrong[i].line || all.all[0].column != wrong[i].column) {
            fail_msg("row %zu: at %zu:%zu", i, all.all[0].line, all.all[0].column);
        }
        all = (diagnostics){0};
        assert_true(jck_profile_check_all(suite, f.path, tell, &all, &error));
        assert_int_equal(all.count, 1);
        end(suite, &f);
    }
}

// Memory that runs out in a file that is extended is reported once, not by each that extends it.
static void running_out_of_memory_is_reported_once(void **state)
{
    (void)state;
    folder f;
    size_t failures = 0;
    jck_suite *suite = load_suite(&f);
    folder_write(&f, "profiles/a.json", JRPC_SLICE(PROFILE("a", ",\"extends\":\"spec\"")));
    folder_write(&f, "profiles/p.json", JRPC_SLICE(PROFILE("p", ",\"extends\":\"a\"")));
    for (size_t n = 0;; n++) {
        jrpc_failing_allocator failing;
        diagnostics all = {0};
        jrpc_error error = {0};
        jrpc_failing_allocator_init(&failing, n);
        jck_suite starving = *suite;
        jrpc_arena_init(&starving.arena, &failing.allocator, SIZE_MAX);
        const jck_profile *profile = jck_profile_load(&starving, f.path, "p", tell, &all, &error);
        bool loaded = profile != NULL;
        jrpc_arena_done(&starving.arena);
        if (loaded) {
            break;
        }
        assert_int_equal(error.code, JRPC_ERROR_MEMORY);
        assert_true(all.count <= 1);
        failures++;
    }
    assert_true(failures > 3);
    end(suite, &f);
}

static void an_unknown_name_suggests_the_nearest(void **state)
{
    (void)state;
    folder f;
    jrpc_error error = {0};
    jck_suite *suite = load_suite(&f);
    folder_write(&f, "profiles/mcp.json", JRPC_SLICE(PROFILE("mcp", "")));
    folder_write(&f, "profiles/lsp.json", JRPC_SLICE(PROFILE("lsp", "")));
    assert_null(jck_profile_load(suite, f.path, "xyz", NULL, NULL, &error));
    assert_int_equal(error.code, JRPC_ERROR_USAGE);
    assert_non_null(strstr(error.message, "known are lsp, mcp"));
    static const char *const slips[] = {"mcpp", "mpc", "cmp"};
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        error = (jrpc_error){0};
        assert_null(jck_profile_load(suite, f.path, slips[i], NULL, NULL, &error));
        assert_non_null(strstr(error.message, "did you mean \"mcp\"?"));
    }
    end(suite, &f);
}

static void a_file_may_stand_anywhere(void **state)
{
    (void)state;
    folder f;
    char path[256];
    jck_suite *suite = load_suite(&f);
    folder_write(&f, "mine.json", JRPC_SLICE(PROFILE("mine", ",\"extends\":\"spec\"")));
    const jck_profile *profile = load(suite, &f, folder_path(&f, "mine.json", path));
    assert_true(jrpc_slice_is(profile->name, "mine"));
    assert_true(jrpc_slice_is(profile->extends, "spec"));
    end(suite, &f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_profile_needs_no_file),
        cmocka_unit_test(a_level_of_a_profile_outweighs_that_of_a_case),
        cmocka_unit_test(answers_do_for_calls_and_refused_batches_only),
        cmocka_unit_test(a_notification_may_be_refused_where_notifications_are_named),
        cmocka_unit_test(cases_are_left_out_by_pattern_hazard_need_and_message),
        cmocka_unit_test(a_profile_takes_over_what_it_extends),
        cmocka_unit_test(a_target_keeps_what_it_says_itself),
        cmocka_unit_test(what_is_wrong_is_reported_with_its_place),
        cmocka_unit_test(running_out_of_memory_is_reported_once),
        cmocka_unit_test(an_unknown_name_suggests_the_nearest),
        cmocka_unit_test(a_file_may_stand_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
