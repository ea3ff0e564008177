// What kills a target: kinds of messages, each noted with those that survived it.
#include "harness/run/deadly.h"

#include "tests/unit/suite/folder.h"

#include "harness/suite/suite.h"

static const char rules[] =
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"rules\":[{\"id\":\"R\",\"level\":"
    "\"M\","
    "\"section\":\"1\",\"title\":\"t\",\"sentence\":\"s\",\"source\":\"s\"}]}";

#define SENDS(id, members)                                                                         \
    "{\"id\":\"a/" id "\",\"title\":\"t\",\"rules\":[\"R\"]," members ",\"expect\":\"anything\"}"
#define CALL "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":\"${id}\"}"

static const char cases[] =
    "{\"schema\":1,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\",\"cases\":[" //
    SENDS("call", "\"send\":" CALL) ","                                           //
    SENDS("batch", "\"send\":[" CALL "," CALL "]") ","                            //
    SENDS("other-batch", "\"send\":[" CALL "]") ","                               //
    SENDS("strange-batch", "\"send\":[1]") ","                                    //
    SENDS("text", "\"send-text\":\"{\"") ","                                      //
    SENDS("null", "\"send\":null") ","                                            //
    SENDS("deep", "\"send-repeat\":{\"unit\":\"[\",\"times\":9}") ","             //
    SENDS("raw", "\"send-text\":\"{\",\"raw\":true") "]}";

typedef struct fixture {
    folder files;
    jck_suite *suite;
} fixture;

static int begin(void **state)
{
    static fixture fixed;
    jrpc_error error = {0};
    folder_make(&fixed.files);
    folder_add(&fixed.files, "rules");
    folder_add(&fixed.files, "s");
    folder_write(&fixed.files, "rules/s.json", jrpc_slice_str(rules));
    folder_write(&fixed.files, "s/01.json", jrpc_slice_str(cases));
    fixed.suite = jck_suite_load(fixed.files.path, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    *state = &fixed;
    return 0;
}

static int end(void **state)
{
    fixture *fixed = *state;
    jck_suite_free(fixed->suite);
    folder_remove(&fixed->files);
    return 0;
}

static const jck_case *named(void **state, const char *id)
{
    const fixture *fixed = *state;
    const jck_case *found = jck_suite_find_case(fixed->suite, jrpc_slice_str(id));
    assert_non_null(found);
    return found;
}

static void a_kind_that_killed_each_time_is_expected_to(void **state)
{
    jck_deadly deadly = {0};
    assert_false(jck_deadly_expects(&deadly, named(state, "a/batch"), 1));
    jck_deadly_note(&deadly, named(state, "a/batch"), true);
    assert_true(jck_deadly_expects(&deadly, named(state, "a/other-batch"), 1));
    assert_false(jck_deadly_expects(&deadly, named(state, "a/other-batch"), 2));
    // Others are not known to: neither an Array of something else, nor a call alone.
    assert_false(jck_deadly_expects(&deadly, named(state, "a/strange-batch"), 1));
    assert_false(jck_deadly_expects(&deadly, named(state, "a/call"), 1));
}

static void one_that_survives_clears_its_kind(void **state)
{
    jck_deadly deadly = {0};
    for (int i = 0; i < 9; i++) {
        jck_deadly_note(&deadly, named(state, "a/text"), true);
    }
    assert_true(jck_deadly_expects(&deadly, named(state, "a/text"), JCK_DEADLY_ENOUGH));
    jck_deadly_note(&deadly, named(state, "a/text"), false);
    assert_false(jck_deadly_expects(&deadly, named(state, "a/text"), 1));
}

static void calls_and_raw_bytes_have_no_kind(void **state)
{
    jck_deadly deadly = {0};
    jck_deadly_note(&deadly, named(state, "a/call"), true);
    jck_deadly_note(&deadly, named(state, "a/raw"), true);
    assert_false(jck_deadly_expects(&deadly, named(state, "a/call"), 1));
    assert_false(jck_deadly_expects(&deadly, named(state, "a/text"), 1));
}

static void each_kind_is_of_its_own(void **state)
{
    static const char *const ids[] = {"a/batch", "a/strange-batch", "a/text", "a/null", "a/deep"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        jck_deadly deadly = {0};
        jck_deadly_note(&deadly, named(state, ids[i]), true);
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            assert_int_equal(jck_deadly_expects(&deadly, named(state, ids[k]), 1), i == k);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_that_killed_each_time_is_expected_to),
        cmocka_unit_test(one_that_survives_clears_its_kind),
        cmocka_unit_test(calls_and_raw_bytes_have_no_kind),
        cmocka_unit_test(each_kind_is_of_its_own),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
