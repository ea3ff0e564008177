// What kills a target: kinds of messages, each noted with those that survived it.
#include "harness/run/deadly.h"

#include "tests/unit/suite/folder.h"

#include "harness/suite/suite.h"

static const char rules[] =
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"rules\":[{\"id\":\"R\",\"level\":"
    "\"M\","
    "\"section\":\"1\",\"title\":\"t\",\"sentence\":\"s\",\"source\":\"s\"},{\"id\":\"Q\","
    "\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"s\",\"source\":\"s\"}]}";

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
                                         "{\"id\":\"a/"
                                         "text-of-q\",\"title\":\"t\",\"rules\":[\"Q\"],\"send-"
                                         "text\":\"}\",\"expect\":"
                                         "\"anything\"},"                                //
    SENDS("null", "\"send\":null") ","                                                   //
    SENDS("deep", "\"send-repeat\":{\"unit\":\"[\",\"times\":9}") ","                    //
    SENDS("wide", "\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\xa9\",\"id\":1}") "," //
    SENDS("wide-note", "\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\xa9\"}") ","     //
    SENDS("latin", "\"send-hex\":\"22e922\"") ","                                        //
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

static jck_fate expected_of(const jck_deadly *deadly, const jck_case *test_case, unsigned times)
{
    const jck_rule *rule = NULL;
    return jck_deadly_expects(deadly, test_case, times, &rule);
}

static void a_kind_that_killed_each_time_is_expected_to(void **state)
{
    jck_deadly deadly = {0};
    assert_int_equal(expected_of(&deadly, named(state, "a/batch"), 1), JCK_FATE_SURVIVED);
    jck_deadly_note(&deadly, named(state, "a/batch"), JCK_FATE_KILLED, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/other-batch"), 1), JCK_FATE_KILLED);
    assert_int_equal(expected_of(&deadly, named(state, "a/other-batch"), 2), JCK_FATE_SURVIVED);
    // Others are not known to: neither an Array of something else, nor a call alone.
    assert_int_equal(expected_of(&deadly, named(state, "a/strange-batch"), 1), JCK_FATE_SURVIVED);
    assert_int_equal(expected_of(&deadly, named(state, "a/call"), 1), JCK_FATE_SURVIVED);
}

static void one_that_survives_clears_its_kind(void **state)
{
    jck_deadly deadly = {0};
    for (int i = 0; i < 9; i++) {
        jck_deadly_note(&deadly, named(state, "a/text"), JCK_FATE_KILLED, NULL);
    }
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), JCK_DEADLY_ENOUGH),
                     JCK_FATE_KILLED);
    jck_deadly_note(&deadly, named(state, "a/text"), JCK_FATE_SURVIVED, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), 1), JCK_FATE_SURVIVED);
}

static void a_text_is_expected_to_kill_if_one_of_its_rule_did_and_none_survived(void **state)
{
    jck_deadly deadly = {0};
    jck_deadly_note(&deadly, named(state, "a/text"), JCK_FATE_ENDED, NULL);
    jck_deadly_note(&deadly, named(state, "a/text"), JCK_FATE_ENDED, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), 2), JCK_FATE_ENDED);
    assert_int_equal(expected_of(&deadly, named(state, "a/text-of-q"), 2), JCK_FATE_SURVIVED);
    jck_deadly_note(&deadly, named(state, "a/text-of-q"), JCK_FATE_KILLED, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/text-of-q"), 3), JCK_FATE_KILLED);
    jck_deadly_note(&deadly, named(state, "a/text-of-q"), JCK_FATE_SURVIVED, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/text-of-q"), 3), JCK_FATE_SURVIVED);
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), 3), JCK_FATE_ENDED);
}

static void texts_of_too_many_rules_are_never_left_out(void **state)
{
    jck_deadly deadly = {.text_count = JCK_DEADLY_RULES_MAX};
    jck_deadly_note(&deadly, named(state, "a/text"), JCK_FATE_ENDED, NULL);
    assert_int_equal(deadly.text_count, JCK_DEADLY_RULES_MAX);
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), 1), JCK_FATE_SURVIVED);
    deadly.text_count--;
    jck_deadly_note(&deadly, named(state, "a/text"), JCK_FATE_ENDED, NULL);
    assert_int_equal(deadly.text_count, JCK_DEADLY_RULES_MAX);
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), 1), JCK_FATE_ENDED);
}

static void calls_and_raw_bytes_have_no_kind(void **state)
{
    jck_deadly deadly = {0};
    jck_deadly_note(&deadly, named(state, "a/call"), JCK_FATE_KILLED, NULL);
    jck_deadly_note(&deadly, named(state, "a/raw"), JCK_FATE_KILLED, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/call"), 1), JCK_FATE_SURVIVED);
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), 1), JCK_FATE_SURVIVED);
}

static void each_kind_is_of_its_own(void **state)
{
    static const char *const ids[] = {"a/batch", "a/strange-batch", "a/text", "a/null", "a/deep"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        jck_deadly deadly = {0};
        jck_deadly_note(&deadly, named(state, ids[i]), JCK_FATE_KILLED, NULL);
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            assert_int_equal(expected_of(&deadly, named(state, ids[k]), 1) == JCK_FATE_KILLED,
                             i == k);
        }
    }
}

static void wide_text_is_a_kind_besides_what_it_says(void **state)
{
    jck_deadly deadly = {0};
    jck_deadly_note(&deadly, named(state, "a/wide"), JCK_FATE_MUTE, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/wide-note"), 1), JCK_FATE_MUTE);
    assert_int_equal(expected_of(&deadly, named(state, "a/call"), 1), JCK_FATE_SURVIVED);
    // A byte that is no character has the width of one.
    assert_int_equal(expected_of(&deadly, named(state, "a/latin"), 1), JCK_FATE_SURVIVED);
    jck_deadly_note(&deadly, named(state, "a/wide-note"), JCK_FATE_SURVIVED, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/wide"), 1), JCK_FATE_SURVIVED);
}

static void the_rule_of_the_last_is_remembered(void **state)
{
    const fixture *fixed = *state;
    const jck_rule *broken = jck_suite_find_rule(fixed->suite, JRPC_SLICE("R"));
    const jck_rule *rule = NULL;
    jck_deadly deadly = {0};
    jck_deadly_note(&deadly, named(state, "a/batch"), JCK_FATE_MUTE, broken);
    jck_deadly_note(&deadly, named(state, "a/batch"), JCK_FATE_MUTE, NULL);
    assert_int_equal(jck_deadly_expects(&deadly, named(state, "a/batch"), 2, &rule), JCK_FATE_MUTE);
    assert_ptr_equal(rule, broken);
}

static void bytes_that_are_not_utf8_are_of_a_kind_of_their_own(void **state)
{
    jck_deadly deadly = {0};
    jck_deadly_note(&deadly, named(state, "a/text"), JCK_FATE_SURVIVED, NULL);
    jck_deadly_note(&deadly, named(state, "a/latin"), JCK_FATE_MUTE, NULL);
    assert_int_equal(expected_of(&deadly, named(state, "a/latin"), 1), JCK_FATE_MUTE);
    assert_int_equal(expected_of(&deadly, named(state, "a/text"), 1), JCK_FATE_SURVIVED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_that_killed_each_time_is_expected_to),
        cmocka_unit_test(one_that_survives_clears_its_kind),
        cmocka_unit_test(a_text_is_expected_to_kill_if_one_of_its_rule_did_and_none_survived),
        cmocka_unit_test(texts_of_too_many_rules_are_never_left_out),
        cmocka_unit_test(calls_and_raw_bytes_have_no_kind),
        cmocka_unit_test(each_kind_is_of_its_own),
        cmocka_unit_test(wide_text_is_a_kind_besides_what_it_says),
        cmocka_unit_test(the_rule_of_the_last_is_remembered),
        cmocka_unit_test(bytes_that_are_not_utf8_are_of_a_kind_of_their_own),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
