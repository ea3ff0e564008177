// Target description files.
#include "harness/suite/target.h"

#include "tests/unit/suite/folder.h"

#include <dirent.h>

static bool load_text(jck_target *target, const char *text, jrpc_error *error)
{
    folder f;
    char path[256];
    folder_make(&f);
    folder_add(&f, "targets");
    folder_add(&f, "targets/mine");
    folder_write(&f, "targets/mine/target.json", jrpc_slice_str(text));
    bool done =
        jck_target_load(target, folder_path(&f, "targets/mine/target.json", path), NULL, error);
    folder_remove(&f);
    return done;
}

static void a_command_is_filled_in_and_taken_as_it_is(void **state)
{
    (void)state;
    jck_target t;
    jrpc_error error = {0};
    assert_int_equal(unsetenv("JRPCHECK_ZOO"), 0);
    assert_true(load_text(
        &t,
        "{\"schema\":1,\"name\":\"n\",\"title\":\"x\",\"implementation\":{},\"install\":{\"kind\":"
        "\"pip\"},"
        "\"command\":[\"${zoo}/a\",\"${here}/b\",\"$${c}\",\"\"],\"cwd\":\"${here}\","
        "\"env\":{\"A\":\"b=c\",\"D\":\"\"},\"transport\":\"stdio\",\"framing\":\"length32\","
        "\"profile\":\"spec\",\"declares\":[\"1.0\",\"nonce\"],\"statuses\":[0,3],\"baseline\":\"b."
        "json\","
        "\"limits\":{\"message\":1,\"depth\":2,\"async\":3,\"reply\":4},\"requests\":{\"ping\":"
        "null},"
        "\"prelude\":[{\"send\":{\"id\":\"${id}\"},\"expect\":\"anything\",\"capture\":{\"s\":\"/"
        "result\"}},"
        "{\"send\":{\"x\":\"${s}\"}}],\"postlude\":[{\"send\":{\"y\":\"${s}\"}}],"
        "\"methods\":{\"echo\":\"e\",\"sum\":{\"method\":\"s\\\"\",\"by-position\":[],\"result\":"
        "\"\"},"
        "\"count\":{\"method\":\"c\"},\"subtract\":{\"method\":\"s\",\"by-name\":{\"minuend\":"
        "\"minuend\"}}}}",
        &error));
    assert_string_equal(error.message, "");
    assert_non_null(strstr(t.command[0], "/.zoo/a"));
    assert_int_equal(t.command[0][0], '/');
    assert_null(strstr(t.command[0], "targets"));
    assert_non_null(strstr(t.command[1], "/targets/mine/b"));
    assert_string_equal(t.command[2], "${c}");
    assert_string_equal(t.command[3], "");
    assert_null(t.command[4]);
    assert_non_null(strstr(t.directory, "/targets/mine"));
    assert_string_equal(t.environment[0], "A=b=c");
    assert_string_equal(t.environment[1], "D=");
    assert_null(t.environment[2]);
    assert_true(jrpc_slice_is(t.name, "n"));
    assert_true(t.framing_given && t.framing == JRPC_FRAMING_LENGTH32);
    assert_true(jrpc_slice_is(t.profile, "spec"));
    assert_int_equal(t.declare_count, 2);
    assert_int_equal(t.orderly_status_count, 2);
    assert_int_equal(t.orderly_statuses[1], 3);
    assert_non_null(strstr(t.baseline, "/targets/mine/b.json"));
    assert_int_equal(t.max_message, 1);
    assert_int_equal(t.max_depth, 2);
    assert_int_equal(t.async_ms, 3);
    assert_int_equal(t.reply_ms, 4);
    assert_true(jrpc_json_exists(jrpc_json_get(t.requests, "ping")));
    assert_int_equal(t.prelude_count, 2);
    assert_int_equal(t.prelude[0].capture_count, 1);
    assert_int_equal(t.postlude_count, 1);
    jck_reason reason;
    assert_true(jck_target_offers(&t, JRPC_SLICE("echo/by-name"), &t.arena, &reason));
    assert_true(jck_target_offers(&t, JRPC_SLICE("sum/by-position"), &t.arena, &reason));
    assert_false(jck_target_offers(&t, JRPC_SLICE("sum/by-name"), &t.arena, &reason));
    assert_true(jck_target_offers(&t, JRPC_SLICE("count"), &t.arena, &reason));
    assert_false(jck_target_offers(&t, JRPC_SLICE("count/by-position"), &t.arena, &reason));
    assert_true(jck_target_offers(&t, JRPC_SLICE("subtract/by-name"), &t.arena, &reason));
    assert_true(jck_target_offers(&t, JRPC_SLICE("declares:nonce"), &t.arena, &reason));
    assert_true(jrpc_slice_is(jck_target_mapping(&t, JRPC_SLICE("sum"))->method, "\"s\\\"\""));
    jck_target_done(&t);
}

static void a_url_with_a_port_and_headers_from_the_environment(void **state)
{
    (void)state;
    jck_target t;
    jrpc_error error = {0};
    assert_int_equal(setenv("JRPCHECK_TEST_TOKEN", "secret", 1), 0);
    assert_int_equal(setenv("JRPCHECK_ZOO", "/tmp", 1), 0);
    assert_true(
        load_text(&t,
                  "{\"schema\":1,\"start\":[\"${zoo}/s\",\"${port}\"],"
                  "\"url\":\"http://127.0.0.1:${port}/${port}\",\"ready\":{\"line\":\"up\"},"
                  "\"headers\":{\"Authorization\":\"Bearer ${env:JRPCHECK_TEST_TOKEN}\"}}",
                  &error));
    assert_string_equal(error.message, "");
    assert_string_equal(t.start[0], "/tmp/s");
    char url[128];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%s/%s", t.start[1], t.start[1]);
    assert_string_equal(t.url, url);
    long port = strtol(t.start[1], NULL, 10);
    assert_true(port > 0 && port < 65536);
    assert_string_equal(t.headers[0], "Authorization: Bearer secret");
    assert_null(t.headers[1]);
    assert_int_equal(t.ready, JCK_READY_LINE);
    assert_true(jrpc_slice_is(t.ready_text, "up"));
    assert_null(t.command);
    assert_null(t.baseline);
    // Without a name it is called as the user called it.
    assert_non_null(strstr(t.name.ptr, "target.json"));
    jck_target_done(&t);
    assert_int_equal(unsetenv("JRPCHECK_TEST_TOKEN"), 0);
    assert_int_equal(unsetenv("JRPCHECK_ZOO"), 0);
}

static void a_second_copy_of_a_started_target_has_another_port(void **state)
{
    (void)state;
    jck_target t;
    jck_target copy;
    jck_target third;
    jrpc_error error = {0};
    assert_true(load_text(&t,
                          "{\"schema\":1,\"start\":[\"srv\",\"--port=${port}\",\"1${port}\"],"
                          "\"url\":\"http://127.0.0.1:${port}/rpc\",\"env\":{\"PORT\":\"${port}\"},"
                          "\"headers\":{\"Origin\":\"http://127.0.0.1:${port}\"}}",
                          &error));
    assert_true(jck_target_has_own_port(&t));
    assert_true(jck_target_beside(&copy, &t, NULL, &error));
    assert_true(jck_target_beside(&third, &t, copy.own_port, &error));
    assert_string_not_equal(copy.own_port, t.own_port);
    assert_string_not_equal(third.own_port, t.own_port);
    assert_string_not_equal(third.own_port, copy.own_port);
    char text[128];
    (void)snprintf(text, sizeof text, "--port=%s", copy.own_port);
    assert_string_equal(copy.start[1], text);
    assert_string_equal(copy.start[2], t.start[2]); // a longer number
    assert_null(copy.start[3]);
    (void)snprintf(text, sizeof text, "http://127.0.0.1:%s/rpc", copy.own_port);
    assert_string_equal(copy.url, text);
    (void)snprintf(text, sizeof text, "PORT=%s", copy.own_port);
    assert_string_equal(copy.environment[0], text);
    (void)snprintf(text, sizeof text, "Origin: http://127.0.0.1:%s", copy.own_port);
    assert_string_equal(copy.headers[0], text);
    (void)snprintf(text, sizeof text, "http://127.0.0.1:%s/rpc", t.own_port);
    assert_string_equal(t.url, text); // the first one stays as it is
    jck_target_done(&third);
    jck_target_done(&copy);
    jck_target_done(&t);
}

static void a_target_without_a_port_of_its_own_has_no_second_copy(void **state)
{
    (void)state;
    jck_target t;
    jck_target copy;
    jrpc_error error = {0};
    assert_true(load_text(&t, "{\"schema\":1,\"command\":[\"x\"]}", &error));
    assert_false(jck_target_has_own_port(&t));
    assert_false(jck_target_beside(&copy, &t, NULL, &error));
    assert_int_equal(error.code, JRPC_ERROR_USAGE);
    jck_target_done(&copy);
    jck_target_done(&t);
}

#define BEGIN "{\"schema\":1,\"command\":[\"x\"],"

static const struct {
    const char *text;
    size_t column;
    const char *says;
} wrongs[] = {
    {"{\"command\":[\"x\"]}", 1, "\"schema\" is missing"},
    {"{\"schema\":1}", 1, "not neither"},
    {"{\"schema\":1,\"command\":[\"x\"],\"url\":\"unix:s\"}", 1, "not both"},
    {"{\"schema\":1,\"command\":[\"x\"],\"start\":[\"x\"]}", 37, "start goes with url"},
    {"{\"schema\":1,\"command\":[]}", 23, "names no program"},
    {"{\"schema\":1,\"command\":[\"x\"],\"headers\":{\"A\":[]}}", 44, "names at least one part"},
    {"{\"schema\":1,\"command\":\"x\"}", 23, "where an Array"},
    {"{\"schema\":1,\"command\":[\"a\",\"${hier}\"]}", 28, "known are ${here}"},
    {"{\"schema\":1,\"command\":[\"${env:JRPCHECK_TEST_UNSET}\"]}", 24, "is not set"},
    {"{\"schema\":1,\"command\":[\"a\\u0000\"]}", 24, "U+0000"},
    {"{\"schema\":1,\"url\":\"tcp://h\"}", 19, "tcp://HOST:PORT"},
    {BEGIN "\"framming\":\"line\"}", 29, "did you mean \"framing\"?"},
    {BEGIN "\"framing\":\"lines\"}", 39, "unknown framing"},
    {BEGIN "\"transport\":\"pipe\"}", 41, "unknown transport"},
    {BEGIN "\"transport\":\"tcp\"}", 41, "a command means stdio"},
    {BEGIN "\"env\":{\"A=\":\"x\"}}", 36, "not be empty or contain"},
    {BEGIN "\"headers\":{\"A\":\"${env:JRPCHECK_TEST_UNSET}\"}}", 44,
     "JRPCHECK_TEST_UNSET is not set"},
    {BEGIN "\"headers\":{\"A\":\"a\\nb\"}}", 40, "one line"},
    {BEGIN "\"ready\":{}}", 37, "exactly one of"},
    {BEGIN "\"ready\":{\"port\":false}}", 37, "take true"},
    {BEGIN "\"methods\":{\"ecko\":\"x\"}}", 40, "did you mean \"echo\"?"},
    {BEGIN "\"methods\":{\"echo\":1}}", 47, "a mapping is a Number"},
    {BEGIN "\"methods\":{\"echo\":{}}}", 47, "\"method\" is missing"},
    {BEGIN "\"methods\":{\"echo\":{\"method\":\"e\",\"result\":\"x\"}}}", 70,
     "begins with a slash"},
    {BEGIN "\"methods\":{\"echo\":{\"method\":\"e\",\"by-name\":{\"a\":1}}}}", 76,
     "by-name is a Number"},
    {BEGIN "\"methods\":{\"echo\":{\"method\":\"e\",\"params\":[\"${parms}\"]}}}", 71,
     "${parms} means nothing"},
    {BEGIN "\"limits\":{\"depth\":0}}", 47, "from 1 to"},
    {BEGIN "\"limits\":{\"deep\":1}}", 39, "known are message, depth, async, reply"},
    {BEGIN "\"statuses\":[256]}", 41, "from 0 to 255"},
    {BEGIN "\"requests\":[]}", 40, "where an Object"},
    {BEGIN "\"declares\":[1]}", 41, "not a non-empty String"},
    {BEGIN "\"prelude\":[{\"send\":\"${nope}\"}]}", 48, "unknown variable"},
    {BEGIN "\"prelude\":{}}", 39, "where an Array"},
    {"[]", 1, "a target file is an Array"},
    {"{\"schema\":1,", 13, ""},
};

static void every_wrong_member_is_reported_with_its_place(void **state)
{
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        jck_target t;
        jrpc_error error = {0};
        assert_false(load_text(&t, wrongs[i].text, &error));
        if (strstr(error.message, wrongs[i].says) == NULL || error.line != 1 ||
            error.column != wrongs[i].column || strstr(error.source, "target.json") == NULL) {
            bad++;
            print_error("%s\n  gave %zu:%zu: %s\n", wrongs[i].text, error.line, error.column,
                        error.message);
        }
        jck_target_done(&t);
    }
    assert_int_equal(bad, 0);
}

static void a_prelude_file_is_an_array_of_steps(void **state)
{
    (void)state;
    folder f;
    jck_target t;
    jrpc_error error = {0};
    char path[256];
    folder_make(&f);
    folder_write(&f, "good.json",
                 jrpc_slice_str("[{\"send\":{\"id\":\"${id}\"},\"expect\":\"anything\"}]"));
    folder_write(&f, "bad.json", jrpc_slice_str("[\n {\"sent\":1}]"));
    assert_true(jck_target_load(&t, "unix:s", NULL, &error));
    assert_true(jck_target_set_prelude(&t, folder_path(&f, "good.json", path), &error));
    assert_int_equal(t.prelude_count, 1);
    assert_false(jck_target_set_prelude(&t, folder_path(&f, "bad.json", path), &error));
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "did you mean \"send\"?"));
    jrpc_error_clear(&error);
    assert_false(jck_target_set_prelude(&t, folder_path(&f, "none.json", path), &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_non_null(strstr(error.source, "none.json"));
    jck_target_done(&t);
    folder_remove(&f);
}

// The test runs in the root of the source tree.
static void the_targets_of_the_project_load_by_name(void **state)
{
    (void)state;
    size_t count = 0;
    size_t mappings = 0;
    DIR *stream = opendir("targets");
    assert_non_null(stream);
    struct dirent *entry;
    while ((entry = readdir(stream)) != NULL) {
        char path[512];
        (void)snprintf(path, sizeof path, "targets/%s/target.json", entry->d_name);
        if (entry->d_name[0] == '.' || access(path, R_OK) != 0) {
            continue;
        }
        jck_target t;
        jrpc_error error = {0};
        if (!jck_target_load(&t, entry->d_name, "targets", &error)) {
            fail_msg("%s:%zu:%zu: %s", path, error.line, error.column, error.message);
        }
        mappings += t.mapping_count;
        jck_target_done(&t);
        count++;
    }
    assert_int_equal(closedir(stream), 0);
    assert_true(count > 5);
    assert_true(mappings > 50);
}

static void a_second_description_of_a_folder_has_its_own_name(void **state)
{
    (void)state;
    folder f;
    jck_target t;
    jrpc_error error = {0};
    folder_make(&f);
    folder_add(&f, "one");
    folder_write(&f, "one/two.json",
                 jrpc_slice_str("{\"schema\":1,\"name\":\"other\",\"command\":[\"${here}/x\"]}"));
    assert_true(jck_target_load(&t, "one/two", f.path, &error));
    assert_true(jrpc_slice_is(t.name, "other"));
    assert_non_null(strstr(t.command[0], "/one/x"));
    jck_target_done(&t);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_filled_in_and_taken_as_it_is),
        cmocka_unit_test(a_url_with_a_port_and_headers_from_the_environment),
        cmocka_unit_test(a_second_copy_of_a_started_target_has_another_port),
        cmocka_unit_test(a_target_without_a_port_of_its_own_has_no_second_copy),
        cmocka_unit_test(every_wrong_member_is_reported_with_its_place),
        cmocka_unit_test(a_prelude_file_is_an_array_of_steps),
        cmocka_unit_test(the_targets_of_the_project_load_by_name),
        cmocka_unit_test(a_second_description_of_a_folder_has_its_own_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
