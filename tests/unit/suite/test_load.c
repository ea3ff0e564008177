// Loading: what is wrong in a file is reported with its place and a remedy.
#include "harness/suite/load.h"

#include "tests/unit/suite/folder.h"

static const char rules[] =
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"url\":\"u\",\"rules\":[\n"
    "{\"id\":\"S-1\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\","
    "\"source\":\"y\"},\n"
    "{\"id\":\"S-2\",\"level\":\"S\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\","
    "\"source\":\"y\","
    "\"stands-on\":[\"S-1\"],\"needs\":[\"whatever\"],\"lenient\":true}]}";

// One case on line 2; the members below follow its first three.
#define FILE_BEGIN "{\"schema\":1,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\",\"cases\":[\n"
#define CASE_BEGIN "{\"id\":\"a/b\",\"title\":\"t\",\"rules\":[\"S-1\"],"
#define FILE_END "}]}"
#define STEPS(steps) "\"steps\":[" steps "]"

static void make_suite(folder *f, const char *rule_text, const char *case_text)
{
    folder_make(f);
    folder_add(f, "rules");
    folder_add(f, "s");
    folder_write(f, "rules/s.json", jrpc_slice_str(rule_text));
    folder_write(f, "s/01.json", jrpc_slice_str(case_text));
}

static jck_suite *load(const folder *f, diagnostics *t)
{
    jrpc_error error = {0};
    *t = (diagnostics){0};
    jck_suite *suite = jck_suite_load(f->path, tell, t, &error);
    assert_int_equal(suite == NULL, t->count > 0);
    if (t->count > 0) {
        assert_string_equal(error.message, t->all[0].message);
        assert_int_equal(error.line, t->all[0].line);
    }
    return suite;
}

typedef struct wrong {
    const char *members; // of the case, after CASE_BEGIN
    size_t column;       // in line 2, counted from 1
    const char *says;
} wrong;

#define AT (sizeof CASE_BEGIN) // the column of the first byte after CASE_BEGIN
#define SEND "\"send\":1,"

static const wrong wrongs[] = {
    // The case.
    {"\"send\":1,\"expect\":\"nothing\",\"catchs\":[]", AT + 28, "did you mean \"catches\"?"},
    {"\"send\":1,\"send\":2,\"expect\":\"nothing\"", AT + 9, "\"send\" more than once"},
    {"\"send\":1", 1, "\"expect\" is missing"},
    {"\"expect\":\"nothing\"", 1, "the case sends nothing"},
    {"\"send\":1,\"send-text\":\"x\",\"expect\":\"nothing\"", AT + 21, "both send and send-text"},
    {SEND "\"expect\":\"nothing\",\"why\":1", AT + 34, "why is a Number, where a String"},
    {SEND "\"expect\":\"nothing\",\"hazard\":1", AT + 37, "true or false"},
    {SEND "\"expect\":\"nothing\",\"needs\":[\"subtrac\"]", AT + 37, "did you mean \"subtract\"?"},
    {SEND "\"expect\":\"nothing\",\"needs\":[\"framing:lines\"]", AT + 37,
     "no need \"framing:lines\""},
    {SEND "\"expect\":\"nothing\",\"needs\":[\"count\",\"count\"]", AT + 45, "\"count\" twice"},
    {SEND "\"expect\":\"nothing\",\"catches\":[1]", AT + 39, "not a non-empty String"},
    {SEND "\"expect\":\"nothing\",\"level-of\":{\"S-1\":\"X\"}", AT + 46, "\"M\", \"S\" or \"O\""},
    {SEND "\"expect\":\"nothing\",\"level-of\":{\"S-9\":\"M\"}", AT + 40, "no rule \"S-9\""},
    {SEND "\"expect\":\"nothing\",\"role\":\"client\"", 1, "needs \"steps\""},
    {SEND "\"expect\":\"nothing\",\"role\":\"clint\"", AT + 35, "role is \"clint\""},
    {SEND "\"expect\":\"nothing\",\"on\":\"b\"", 1, "add \"connections\" to needs"},
    {SEND "\"expect\":\"nothing\",\"on\":\"b\",\"needs\":[\"count\"]", 1,
     "add \"connections\" to needs"},
    {SEND "\"expect\":\"nothing\",\"on\":\"left\"", AT + 33, "one letter"},
    {SEND "\"expect\":\"nothing\",\"aliases\":[\"a/b\",\"a/b\"]", AT + 45, "\"a/b\" twice"},
    {SEND STEPS("{\"receive\":[{\"id\":1}]}"), AT + 7, "send is given together with steps"},
    // What is sent.
    {"\"send\":{\"m\":\"${absnt}\"},\"expect\":\"nothing\"", AT + 12, "did you mean \"absent\"?"},
    {"\"send\":{\"m\":\"${nobody.knows}\"},\"expect\":\"nothing\"", AT + 12, "unknown variable"},
    {"\"send\":{\"m\":\"${id.3}\"},\"expect\":\"nothing\"", AT + 12, "unknown variable"},
    {"\"send\":\"a ${id}\",\"expect\":\"nothing\"", AT + 10, "a variable is a whole String"},
    {"\"send-text\":\"{${id\",\"expect\":\"nothing\"", AT + 14, "ends with a brace"},
    {"\"send-text\":\"${ID}\",\"expect\":\"nothing\"", AT + 15, "unknown variable"},
    {"\"send-hex\":\"7b 7\",\"expect\":\"nothing\"", AT + 16, "pairs of hexadecimal digits"},
    {"\"send-hex\":\"7bxx\",\"expect\":\"nothing\"", AT + 14, "pairs of hexadecimal digits"},
    {"\"send-hex\":7,\"expect\":\"nothing\"", AT + 11, "where a String"},
    {STEPS("{\"receive\":[{\"id\":1,\"$rule\":\"S-9\"}]}"), AT + 37, "no rule \"S-9\""},
    {"\"send-repeat\":{\"unit\":\"x\"},\"expect\":\"nothing\"", AT + 14, "\"times\" is missing"},
    {"\"send-repeat\":{\"times\":2,\"unit\":\"\"},\"expect\":\"nothing\"", AT + 32,
     "unit is empty"},
    {"\"send-repeat\":{\"times\":0,\"unit\":\"x\"},\"expect\":\"nothing\"", AT + 23, "from 1 to"},
    {"\"send-repeat\":{\"times\":2,\"unit\":\"x\",\"digits\":[\"0\",\"1\"]},\"expect\":\"nothing\"",
     AT + 45, "a # in the unit"},
    {"\"send-repeat\":{\"times\":2,\"unit\":\"#\",\"digits\":[\"0\"]},\"expect\":\"nothing\"",
     AT + 45, "two of them"},
    {"\"send-repeat\":{\"times\":60000000,\"unit\":\"#\",\"digits\":[\"0\",\"1\"]},\"expect\":"
     "\"nothing\"",
     AT + 52, "lower times"},
    {"\"send-repeat\":{\"times\":60000000,\"unit\":\"xy\"},\"expect\":\"nothing\"", AT + 14,
     "lower times"},
    {SEND "\"chunks\":[2,2],\"expect\":\"nothing\"", AT + 21, "ascend"},
    {SEND "\"chunks\":[0],\"expect\":\"nothing\"", AT + 19, "the first above 0"},
    {SEND "\"chunks\":1,\"expect\":\"nothing\"", AT + 18, "where an Array"},
    // What is expected.
    {SEND "\"expect\":\"silence\"", AT + 18, "expect is another String"},
    {SEND "\"expect\":1", AT + 18, "expect is a Number"},
    {SEND "\"expect\":[]", AT + 18, "a batch Response is never empty"},
    {SEND "\"expect\":[1]", AT + 19, "an element of a batch is a Number"},
    {SEND "\"expect\":{\"eror\":{}}", AT + 19, "did you mean \"error\"?"},
    {SEND "\"expect\":{\"result\":{\"$typ\":\"string\"}}", AT + 29, "did you mean \"$type\"?"},
    {SEND "\"expect\":{\"result\":{\"$x\":1}}", AT + 29, "unknown matcher"},
    {SEND "\"expect\":{\"result\":{\"$type\":\"text\"}}", AT + 37, "$type takes string, number"},
    {SEND "\"expect\":{\"result\":{\"$range\":[2,1]}}", AT + 38, "[lowest, highest]"},
    {SEND "\"expect\":{\"result\":{\"$length\":[2,1]}}", AT + 39, "two whole Numbers"},
    {SEND "\"expect\":{\"result\":{\"$length\":[0.5,2]}}", AT + 39, "two whole Numbers"},
    {SEND "\"expect\":{\"result\":{\"$in\":[]}}", AT + 35, "non-empty Array"},
    {SEND "\"expect\":{\"result\":{\"$any\":false}}", AT + 36, "$any takes true"},
    {SEND "\"expect\":{\"result\":{\"$any\":true,\"x\":1}}", AT + 29, "the only member"},
    {SEND "\"expect\":{\"result\":\"${job}\",\"id\":\"${jobb}\"}", AT + 42,
     "did you mean \"job\"?"},
    {SEND "\"expect\":{\"result\":1,\"as\":\"warn\"}", AT + 35, "only with any-of"},
    {SEND "\"expect\":{\"rejected\":\"S-3\"}", AT + 30, "did you mean \"S-1\"?"},
    {SEND "\"expect\":{\"rejected\":true}", AT + 30, "rejected is true, where a String"},
    {SEND "\"expect\":{\"nothing\":false}", AT + 29, "where true is expected"},
    {SEND "\"expect\":{\"any-of\":[]}", AT + 28, "any-of is empty"},
    {SEND "\"expect\":{\"any-of\":[{\"result\":1,\"as\":\"fail\"}]}", AT + 46, "\"observe:NAME\""},
    {SEND "\"expect\":{\"any-of\":[{\"result\":1,\"as\":\"observe:\"}]}", AT + 46,
     "\"observe:NAME\""},
    {SEND "\"expect\":{\"any-of\":[{\"any-of\":[{\"id\":1}]}]}", AT + 29,
     "an any-of is inside another any-of"},
    {SEND "\"expect\":{\"any-of\":[{\"closed\":true,\"rule\":\"S\"}]}", AT + 51, "no rule \"S\""},
    {SEND "\"expect\":{\"any-of\":[{\"closed\":true}],\"else\":\"Q\"}", AT + 53, "no rule \"Q\""},
    {SEND "\"expect\":{\"any-of\":[{\"closed\":true}],\"otherwise\":1}", AT + 46,
     "no member \"otherwise\""},
    // Steps.
    {STEPS("{\"send\":1}"), AT + 8, "no step states what it expects"},
    {STEPS("{}"), AT + 9, "the step does nothing"},
    {STEPS("{\"fence\":false}"), AT + 18, "fence takes true"},
    {STEPS("{\"send\":1,\"http\":{\"status\":500}}"), AT + 36, "status is that of an answer"},
    {STEPS("{\"close\":\"read\"}"), AT + 18, "close takes \"write\" or \"both\""},
    {STEPS("{\"close\":\"both\"}"), AT + 18, "needs a connection of its own"},
    {STEPS("{\"reply\":{\"reslt\":1}}"), AT + 19, "did you mean \"result\"?"},
    {STEPS("{\"receive\":[]}"), AT + 20, "receive is empty"},
    {STEPS("{\"receive\":[{\"$times\":[2,1]}]}"), AT + 31, "$times takes"},
    {STEPS("{\"receive\":[{\"id\":1}],\"order\":\"some\"}"), AT + 39, "\"any\" or \"exact\""},
    {STEPS("{\"receive\":[{\"id\":1}],\"within\":\"soon\"}"), AT + 40,
     "\"unprompted\", \"pause\" or"},
    {STEPS("{\"receive\":[{\"id\":1}],\"within\":\"rest\"}"), AT + 20, "leave receive empty"},
    {STEPS("{\"repeat\":1,\"steps\":[{\"send\":1,\"expect\":\"nothing\"}]}"), AT + 19,
     "a whole number from 2 to 4096"},
    {STEPS("{\"repeat\":2,\"steps\":[{}]}"), AT + 30, "the step does nothing"},
    {STEPS("{\"repeat\":2}"), AT + 9, "a repeated group needs \"steps\""},
    {STEPS("{\"receive\":[{\"id\":1}],\"expect\":\"nothing\"}"), AT + 31,
     "has no member \"expect\""},
    {STEPS("{\"receive\":[{\"id\":\"${x}\"}]}"), AT + 27, "unknown variable \"x\""},
    {STEPS("{\"send\":1,\"capture\":{\"x\":\"/result\"}}"), AT + 29, "capture needs an expect"},
    {STEPS("{\"send\":1,\"expect\":\"anything\",\"capture\":{\"id\":\"/x\"}}"), AT + 50,
     "a variable already"},
    {STEPS("{\"send\":1,\"expect\":\"anything\",\"capture\":{\"1\":\"/x\"}}"), AT + 50,
     "use a letter"},
    {STEPS("{\"send\":1,\"expect\":\"anything\",\"capture\":{\"x\":\"result\"}}"), AT + 54,
     "neither a JSON Pointer"},
    {STEPS(
         "{\"send\":1,\"expect\":\"anything\",\"capture\":{\"x\":{\"in\":\"/a\",\"take\":\"\"}}}"),
     AT + 54, "where"},
    {STEPS("{\"send\":1,\"expect\":\"anything\",\"capture\":{\"x\":{\"in\":\"/"
           "a\",\"where\":{\"b\":1},\"take\":"
           "\"\"}}}"),
     AT + 54, "are JSON Pointers"},
    {STEPS("{\"send\":\"${x}\",\"expect\":\"anything\",\"capture\":{\"x\":\"\"}}"), AT + 17,
     "unknown variable \"x\""},
};

static void every_wrong_member_is_reported_with_its_place_and_a_remedy(void **state)
{
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        folder f;
        diagnostics t;
        char text[1024];
        (void)snprintf(text, sizeof text, FILE_BEGIN CASE_BEGIN "%s" FILE_END, wrongs[i].members);
        make_suite(&f, rules, text);
        assert_null(load(&f, &t));
        folder_remove(&f);
        const jrpc_error *error = &t.all[0];
        if (strstr(error->message, wrongs[i].says) == NULL || error->line != 2 ||
            error->column != wrongs[i].column || strstr(error->source, "s/01.json") == NULL ||
            error->code != JRPC_ERROR_INVALID || t.count != 1) {
            bad++;
            print_error("%s\n  gave %zu, first %zu:%zu: %s\n  not 2:%zu: %s\n", wrongs[i].members,
                        t.count, error->line, error->column, error->message, wrongs[i].column,
                        wrongs[i].says);
        }
    }
    assert_int_equal(bad, 0);
}

typedef struct wrong_file {
    const char *rules;
    const char *cases;
    const char *says;
} wrong_file;

#define GOOD "\"send\":1,\"expect\":\"nothing\""
#define RULE(id, rest)                                                                             \
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"rules\":[{\"id\":\"" id               \
    "\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\",\"source\":"          \
    "\"y\"" rest "}]}"

static const wrong_file wrong_files[] = {
    {rules, FILE_BEGIN CASE_BEGIN GOOD "}," CASE_BEGIN GOOD FILE_END, "taken by the case at"},
    {rules, FILE_BEGIN "{\"id\":\"Upper\",\"title\":\"t\",\"rules\":[\"S-1\"]," GOOD FILE_END,
     "is not a slug"},
    {rules, FILE_BEGIN "{\"id\":\"abc\",\"title\":\"t\",\"rules\":[\"S-1\"]," GOOD FILE_END,
     "is not a slug"},
    {rules, FILE_BEGIN "{\"id\":\"a//b\",\"title\":\"t\",\"rules\":[\"S-1\"]," GOOD FILE_END,
     "is not a slug"},
    {rules, FILE_BEGIN "{\"id\":\"a/\",\"title\":\"t\",\"rules\":[\"S-1\"]," GOOD FILE_END,
     "is not a slug"},
    {rules, FILE_BEGIN "{\"id\":\"a/b\",\"rules\":[\"S-1\"]," GOOD FILE_END,
     "\"title\" is missing"},
    {rules, FILE_BEGIN "{\"id\":\"a/b\",\"title\":\"t\",\"rules\":[]," GOOD FILE_END,
     "rules is empty"},
    {rules, FILE_BEGIN "{\"id\":\"a/b\",\"title\":\"t\",\"rules\":[\"S-7\"]," GOOD FILE_END,
     "no rule \"S-7\""},
    {rules, FILE_BEGIN "1]}", "a case is a Number"},
    {rules, "[]", "a case file is an Array"},
    {rules, "{\"schema\":2,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\",\"cases\":[]}",
     "schema is not an integer"},
    {rules, "{\"schema\":1,\"suite\":\"q\",\"section\":\"1\",\"title\":\"t\",\"cases\":[]}",
     "make them agree"},
    {rules, "{\"schema\":1,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\"}",
     "\"cases\" is missing"},
    {RULE("S-1", ",\"stands-on\":[\"S-2\"]"), FILE_BEGIN "]}", "stands on \"S-2\""},
    {RULE("S-1", ",\"untestable\":\"x\",\"judge\":\"y\""), FILE_BEGIN "]}", "only one of"},
    {RULE("S 1", ""), FILE_BEGIN "]}", "characters other than"},
    {RULE("S-1", ",\"groud\":\"x\""), FILE_BEGIN "]}", "did you mean \"ground\"?"},
    {RULE("S-1",
          "},{\"id\":\"S-1\",\"level\":\"S\",\"section\":\"\",\"title\":\"t\",\"sentence\":\"x\","
          "\"source\":\"y\""),
     FILE_BEGIN "]}", "taken by the rule at"},
    {RULE("S-1", ",\"level\":\"X\""), FILE_BEGIN "]}", "\"level\" more than once"},
    {RULE("S-1",
          "},{\"id\":\"S-2\",\"title\":\"t\",\"section\":\"1\",\"sentence\":\"x\",\"source\":"
          "\"y\""),
     FILE_BEGIN "]}", "needs the level"},
    {RULE("", ""), FILE_BEGIN "]}", "id is empty"},
    {"{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"rules\":1}", FILE_BEGIN "]}",
     "where an Array"},
    {"{\"schema\":1,\"specification\":\"s\",\"title\":\"t\"}", FILE_BEGIN "]}",
     "\"rules\" is missing"},
};

static void every_wrong_file_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_files / sizeof wrong_files[0]; i++) {
        folder f;
        diagnostics t;
        make_suite(&f, wrong_files[i].rules, wrong_files[i].cases);
        assert_null(load(&f, &t));
        folder_remove(&f);
        if (strstr(t.all[0].message, wrong_files[i].says) == NULL || t.all[0].line == 0) {
            fail_msg("%zu gave line %zu: %s, not %s", i, t.all[0].line, t.all[0].message,
                     wrong_files[i].says);
        }
    }
}

static void all_that_is_wrong_is_reported_in_one_run(void **state)
{
    (void)state;
    folder f;
    diagnostics t;
    make_suite(&f, rules,
               FILE_BEGIN "{\"id\":\"a/b\",\"rules\":[\"S-8\"],\n\"send\":\"${zzzzzz}\",\n"
                          "\"expect\":{\"result\":{\"$nix\":1}},\"colour\":1}]}");
    assert_null(load(&f, &t));
    assert_int_equal(t.count, 5);
    folder_remove(&f);
}

static void a_folder_that_is_missing_is_named(void **state)
{
    (void)state;
    jrpc_error error = {0};
    assert_null(jck_suite_load("/nonexistent/cases", NULL, NULL, &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "/nonexistent/cases"));
}

static const char rich[] = FILE_BEGIN CASE_BEGIN
    "\"catches\":[\"x\"],\"needs\":[\"connections\",\"echo/"
    "by-name\",\"declares:1.0\"],\"why\":\"y\",\n"
    "\"aliases\":[\"old/name\"],\"level-of\":{\"S-1\":\"O\"},\"hazard\":true,\"steps\":[\n"
    "{\"on\":\"b\",\"send\":{\"method\":\"${echo}\",\"id\":\"${id:int.a}\"},\"chunks\":[1,5],\n"
    " \"expect\":{\"any-of\":[{\"result\":{\"a\":{\"$each\":{\"$type\":\"string\"}}},\"as\":"
    "\"observe:n\"},\n"
    "  {\"as\":\"warn\",\"rejected\":\"S-2\"},{\"nothing\":true}],\"else\":\"S-2\"},\n"
    " \"capture\":{\"flow\":\"/result\",\"s\":\"header:Session\"}},\n"
    "{\"send-repeat\":{\"prefix\":\"[\",\"unit\":\"\\\"${flow}\\\"\",\"times\":3,\"suffix\":\"]\"},"
    "\"raw\":true},\n"
    "{\"receive\":[{\"id\":\"${id:int.a}\",\"$times\":[0,\"*\"]}],\"order\":\"exact\",\"within\":"
    "\"async\"},\n"
    "{\"reply\":{\"result\":\"${s}\"}},{\"fence\":true},{\"close\":\"write\"}]}]}";

static void every_prefix_of_a_file_is_reported_and_none_crashes(void **state)
{
    (void)state;
    folder f;
    diagnostics t;
    make_suite(&f, rules, rich);
    for (size_t len = 0; len < sizeof rich - 1; len++) {
        folder_write(&f, "s/01.json", jrpc_slice_of(rich, len));
        assert_null(load(&f, &t));
        assert_int_equal(t.all[0].code, JRPC_ERROR_SYNTAX);
        assert_true(t.all[0].line > 0);
    }
    folder_write(&f, "s/01.json", jrpc_slice_of(rich, sizeof rich - 1));
    jck_suite *suite = load(&f, &t);
    assert_string_equal(t.all[0].message, "");
    assert_non_null(suite);
    jck_suite_free(suite);
    folder_remove(&f);
}

static void running_out_of_memory_anywhere_is_reported(void **state)
{
    (void)state;
    folder f;
    size_t failures = 0;
    make_suite(&f, rules, rich);
    for (size_t n = 0;; n++) {
        jrpc_failing_allocator failing;
        jrpc_error error = {0};
        jrpc_failing_allocator_init(&failing, n);
        jck_suite *suite = jck_suite_load_with(&failing.allocator, f.path, NULL, NULL, &error);
        if (suite != NULL) {
            assert_int_equal(jck_suite_case_count(suite), 1);
            jck_suite_free(suite);
            break;
        }
        assert_int_equal(error.code, JRPC_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 5);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wrong_member_is_reported_with_its_place_and_a_remedy),
        cmocka_unit_test(every_wrong_file_is_reported),
        cmocka_unit_test(all_that_is_wrong_is_reported_in_one_run),
        cmocka_unit_test(a_folder_that_is_missing_is_named),
        cmocka_unit_test(every_prefix_of_a_file_is_reported_and_none_crashes),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
