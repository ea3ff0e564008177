// What the words of a command line say about a target, and what a target offers.
#include "harness/suite/target.h"

#include "tests/unit/suite/folder.h"

static const struct {
    const char *word;
    jrpc_transport transport;
    const char *host, *port, *path, *url;
} places[] = {
    {"tcp://127.0.0.1:4000", JRPC_TRANSPORT_TCP, "127.0.0.1", "4000", NULL, NULL},
    {"TCP://localhost:80", JRPC_TRANSPORT_TCP, "localhost", "80", NULL, NULL},
    {"tcp://[::1]:80", JRPC_TRANSPORT_TCP, "::1", "80", NULL, NULL},
    {"unix:/run/s", JRPC_TRANSPORT_UNIX, NULL, NULL, "/run/s", NULL},
    {"unix:///run/s", JRPC_TRANSPORT_UNIX, NULL, NULL, "/run/s", NULL},
    {"unix:s", JRPC_TRANSPORT_UNIX, NULL, NULL, "s", NULL},
    {"http://h/rpc", JRPC_TRANSPORT_HTTP, NULL, NULL, NULL, "http://h/rpc"},
    {"HTTPS://H", JRPC_TRANSPORT_HTTP, NULL, NULL, NULL, "https://H"},
    {"ws://h", JRPC_TRANSPORT_WEBSOCKET, NULL, NULL, NULL, "ws://h"},
    {"wss://h/x", JRPC_TRANSPORT_WEBSOCKET, NULL, NULL, NULL, "wss://h/x"},
};

static void check_text(const char *text, const char *expected)
{
    if (expected == NULL) {
        assert_null(text);
    } else {
        assert_non_null(text);
        assert_string_equal(text, expected);
    }
}

static void a_word_with_a_scheme_names_a_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        jck_target target;
        jrpc_error error = {0};
        assert_true(jck_target_load(&target, places[i].word, NULL, &error));
        assert_int_equal(target.transport, places[i].transport);
        check_text(target.host, places[i].host);
        check_text(target.port, places[i].port);
        check_text(target.path, places[i].path);
        check_text(target.url, places[i].url);
        assert_true(jrpc_slice_is(target.name, places[i].word));
        assert_int_equal(target.framing, JRPC_FRAMING_LINE);
        assert_false(target.framing_given);
        jck_target_done(&target);
    }
}

static const struct {
    const char *word;
    const char *says;
} wrong_words[] = {
    {"tcp://127.0.0.1", "tcp://HOST:PORT"},
    {"tcp://:80", "no host is named"},
    {"tcp://h:", "there is no port"},
    {"tcp://h:80/x", "there is no port '80/x'"},
    {"tcp://", "nothing comes after the scheme"},
    {"unix:", "nothing comes after the scheme"},
    {"ftp://h", "no scheme that is known"},
    {"mine", "there is no target mine"},
    {"jsonrpcserve", "\"jsonrpcserver\""},
    {"", "the target is empty"},
    {"../not-a-name-of-a-folder", "there is no target"},
    {"CMakeLists.txt", "did you mean jrpcheck -- CMakeLists.txt?"},
    {"cases", "cases is a folder"},
    {"localhost:4000", "did you mean tcp://localhost:4000 or http://localhost:4000/?"},
    {"tcp://h:65536", "there is no port '65536'"},
    {"tcp://h:99999999999", "there is no port"},
    {"tcp://h:0", "there is no port '0'"},
};

static void a_wrong_word_is_refused_with_a_remedy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_words / sizeof wrong_words[0]; i++) {
        jck_target target;
        jrpc_error error = {0};
        assert_false(jck_target_load(&target, wrong_words[i].word, "targets", &error));
        assert_int_equal(error.code, JRPC_ERROR_USAGE);
        if (strstr(error.message, wrong_words[i].says) == NULL) {
            fail_msg("%s: %s", wrong_words[i].word, error.message);
        }
        jck_target_done(&target);
    }
}

// sun_path holds 108 bytes with the NUL at its end.
static void the_path_of_a_socket_has_a_longest_length(void **state)
{
    (void)state;
    for (size_t len = 106; len <= 109; len++) {
        char word[128] = "unix:";
        jck_target target;
        jrpc_error error = {0};
        memset(word + strlen("unix:"), 's', len);
        assert_int_equal(jck_target_load(&target, word, NULL, &error), len <= 107);
        assert_true(len <= 107 || strstr(error.message, "1 to 107 bytes") != NULL);
        jck_target_done(&target);
    }
}

static void a_command_becomes_argv(void **state)
{
    (void)state;
    jck_target target;
    jrpc_error error = {0};
    char program[] = "./server";
    char option[] = "--a b";
    char *argv[] = {program, option, NULL};
    char *nothing[] = {NULL};
    assert_true(jck_target_from_command(&target, argv, &error));
    program[0] = '!'; // copied
    assert_string_equal(target.command[0], "./server");
    assert_string_equal(target.command[1], "--a b");
    assert_null(target.command[2]);
    assert_true(jrpc_slice_is(target.name, "./server --a b"));
    assert_int_equal(target.transport, JRPC_TRANSPORT_STDIO);
    jck_target_done(&target);
    assert_false(jck_target_from_command(&target, nothing, &error));
    assert_int_equal(error.code, JRPC_ERROR_USAGE);
    jck_target_done(&target);
}

static const struct {
    const char *words;
    const char *argv[5];
} starts[] = {
    {"server", {"server"}},
    {"  server\t--port 80 ", {"server", "--port", "80"}},
    {"'a b' \"c d\"e f\\ g", {"a b", "c de", "f g"}},
    {"\"\" ''", {"", ""}},
    {"\"\\\"\\a\\\\\" '\\'", {"\"\\a\\", "\\"}},
    {"a\\'b x'\"'y", {"a'b", "x\"y"}},
    {"$HOME * ~ a", {"$HOME", "*", "~", "a"}},
};

static void a_command_to_start_is_split_as_a_shell_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        jck_target target;
        jrpc_error error = {0};
        assert_true(jck_target_load(&target, "unix:s", NULL, &error));
        assert_true(jck_target_set_start(&target, starts[i].words, &error));
        size_t j = 0;
        for (; starts[i].argv[j] != NULL; j++) {
            assert_non_null(target.start[j]);
            assert_string_equal(target.start[j], starts[i].argv[j]);
        }
        assert_null(target.start[j]);
        jck_target_done(&target);
    }
}

static void a_command_to_start_with_an_open_quote_or_nothing_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"a 'b", "\"", "a\\'b'", "", "  "};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        jck_target target;
        jrpc_error error = {0};
        assert_true(jck_target_load(&target, "unix:s", NULL, &error));
        assert_false(jck_target_set_start(&target, wrong[i], &error));
        assert_int_equal(error.code, JRPC_ERROR_USAGE);
        jck_target_done(&target);
    }
}

static void headers_add_up_and_wrong_ones_are_refused(void **state)
{
    (void)state;
    jck_target target;
    jrpc_error error = {0};
    assert_true(jck_target_load(&target, "http://h", NULL, &error));
    assert_true(jck_target_add_header(&target, "A: b", &error));
    assert_true(jck_target_add_header(&target, "C: d:e", &error));
    assert_string_equal(target.headers[0], "A: b");
    assert_string_equal(target.headers[1], "C: d:e");
    assert_null(target.headers[2]);
    static const char *const wrong[] = {"", "A", ": b", "A: b\r\nC: d", "A: b\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        jrpc_error_clear(&error);
        assert_false(jck_target_add_header(&target, wrong[i], &error));
        assert_int_equal(error.code, JRPC_ERROR_USAGE);
    }
    assert_null(target.headers[2]);
    jck_target_done(&target);
}

static const struct {
    const char *need;
    const char *reason; // NULL: offered
    jck_reason_code code;
    const char *unlock;
} offers[] = {
    {"echo", NULL, JCK_REASON_NONE, NULL},
    {"echo/by-position", NULL, JCK_REASON_NONE, NULL},
    {"echo/by-name", "echo takes no params by name", JCK_REASON_PARAMS_SHAPE,
     "--method echo=NAME:by-name"},
    {"echo:widened", NULL, JCK_REASON_NONE, NULL},
    {"echo:hyphenated", "for echo has nothing that could be spelled", JCK_REASON_SAME_NAME, NULL},
    {"subtract:raised", "--method subtract=NAME", JCK_REASON_NO_METHOD, "--method subtract=NAME"},
    {"count", NULL, JCK_REASON_NONE, NULL},
    {"count/by-name", NULL, JCK_REASON_NONE, NULL},
    {"count/by-position", NULL, JCK_REASON_NONE, NULL},
    {"repo/issue", NULL, JCK_REASON_NONE, NULL},
    {"repo/issue/by-name", NULL, JCK_REASON_NONE, NULL},
    {"repo/issue/by-position", "by position", JCK_REASON_PARAMS_SHAPE,
     "--method repo/issue=NAME:by-position"},
    {"subtract", "--method subtract=NAME", JCK_REASON_NO_METHOD, "--method subtract=NAME"},
    {"subtract/by-name", "no method is mapped to subtract", JCK_REASON_NO_METHOD,
     "--method subtract=NAME"},
    {"connections", "one connection only", JCK_REASON_ONE_CONNECTION, NULL},
    {"receive", NULL, JCK_REASON_NONE, NULL},
    {"timeout", NULL, JCK_REASON_NONE, NULL},
    {"fresh", NULL, JCK_REASON_NONE, NULL},
    {"results", NULL, JCK_REASON_NONE, NULL},
    {"user", "no resource is mapped to user: --method user=RESOURCE", JCK_REASON_NO_METHOD,
     "--method user=RESOURCE"},
    {"project/task", "mapped to one word; it takes RESOURCE/SUBRESOURCE", JCK_REASON_NO_SUBRESOURCE,
     NULL},
    {"stdio", NULL, JCK_REASON_NONE, NULL},
    {"framing:line", NULL, JCK_REASON_NONE, NULL},
    {"framing:length32", "the framing length32", JCK_REASON_OTHER_FRAMING, NULL},
    {"transport:stdio", NULL, JCK_REASON_NONE, NULL},
    {"transport:tcp", "over tcp", JCK_REASON_OTHER_TRANSPORT, NULL},
    {"declares:1.0", "does not declare \"1.0\"", JCK_REASON_NOT_DECLARED, NULL},
    {"limits:depth", "no limit \"depth\"", JCK_REASON_NO_LIMIT, NULL},
    {"limits:async", "no limit \"async\"", JCK_REASON_NO_LIMIT, NULL},
    {"echo/by-nam", "knows no need", JCK_REASON_UNKNOWN_NEED, NULL},
    {"nothing like it", "knows no need", JCK_REASON_UNKNOWN_NEED, NULL},
};

static void a_target_offers_what_it_maps_or_says_what_is_missing(void **state)
{
    (void)state;
    jck_target target;
    jrpc_error error = {0};
    char program[] = "x";
    char *argv[] = {program, NULL};
    assert_true(jck_target_from_command(&target, argv, &error));
    assert_true(jck_target_add_mapping(&target, "echo=wrong", &error));
    assert_true(jck_target_add_mapping(&target, "echo=tools.echo:by-position", &error));
    assert_true(jck_target_add_mapping(&target, "count=c=d", &error));
    assert_true(jck_target_add_mapping(&target, "repo/issue=r/i:by-name", &error));
    assert_true(jck_target_add_mapping(&target, "project/task=p", &error));
    assert_int_equal(target.mapping_count, 4);
    assert_true(
        jrpc_slice_is(jck_target_mapping(&target, JRPC_SLICE("echo"))->method, "\"tools.echo\""));
    assert_true(jrpc_slice_is(jck_target_mapping(&target, JRPC_SLICE("count"))->method, "\"c=d\""));
    for (size_t i = 0; i < sizeof offers / sizeof offers[0]; i++) {
        jck_reason reason = {.code = JCK_REASON_NONE};
        bool offered =
            jck_target_offers(&target, jrpc_slice_str(offers[i].need), &target.arena, &reason);
        if (offered != (offers[i].reason == NULL) || reason.code != offers[i].code ||
            (!offered && strstr(reason.text, offers[i].reason) == NULL)) {
            fail_msg("%s: %s", offers[i].need, offered ? "offered" : reason.text);
        }
        const char *unlock = reason.unlock == NULL ? "" : reason.unlock;
        assert_string_equal(unlock, offers[i].unlock == NULL ? "" : offers[i].unlock);
    }
    target.max_depth = 1;
    target.async_ms = 1;
    target.transport = JRPC_TRANSPORT_HTTP;
    jck_reason reason;
    assert_true(jck_target_offers(&target, JRPC_SLICE("limits:depth"), &target.arena, &reason));
    assert_true(jck_target_offers(&target, JRPC_SLICE("limits:async"), &target.arena, &reason));
    assert_false(jck_target_offers(&target, JRPC_SLICE("limits:message"), &target.arena, &reason));
    assert_true(jck_target_offers(&target, JRPC_SLICE("connections"), &target.arena, &reason));
    assert_false(jck_target_offers(&target, JRPC_SLICE("receive"), &target.arena, &reason));
    assert_false(jck_target_offers(&target, JRPC_SLICE("results"), &target.arena, &reason));
    assert_non_null(strstr(reason.text, "text/event-stream"));
    assert_int_equal(reason.code, JCK_REASON_NO_EVENT_STREAM);
    assert_true(jck_target_add_header(&target, "Accept: text/event-stream", &error));
    assert_true(jck_target_offers(&target, JRPC_SLICE("results"), &target.arena, &reason));
    assert_true(jck_target_offers(&target, JRPC_SLICE("sessionless"), &target.arena, &reason));
    static const char *const session[] = {"Mcp-Session-Id: ${session}", NULL};
    target.headers = session;
    assert_false(jck_target_offers(&target, JRPC_SLICE("sessionless"), &target.arena, &reason));
    assert_false(jck_target_offers(&target, JRPC_SLICE("stdio"), &target.arena, &reason));
    assert_false(jck_target_offers(&target, JRPC_SLICE("framing:line"), &target.arena, &reason));
    jck_target_done(&target);
}

static void wrong_mappings_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"echo", "write CAPABILITY=METHOD"},        {"=x", "write CAPABILITY=METHOD"},
        {"echo=", "write CAPABILITY=METHOD"},       {"ecko=x", "did you mean \"echo\"?"},
        {"something=x", "known are subtract, sum"},
    };
    jck_target target;
    jrpc_error error = {0};
    assert_true(jck_target_load(&target, "unix:s", NULL, &error));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        jrpc_error_clear(&error);
        assert_false(jck_target_add_mapping(&target, wrong[i][0], &error));
        assert_int_equal(error.code, JRPC_ERROR_USAGE);
        assert_non_null(strstr(error.message, wrong[i][1]));
    }
    assert_int_equal(target.mapping_count, 0);
    jck_target_done(&target);
}

static void a_call_goes_into_a_query_as_its_method_its_id_and_named_params(void **state)
{
    (void)state;
    static const struct {
        const char *message, *url;
    } rows[] = {
        {"{\"jsonrpc\":\"2.0\",\"method\":\"a/b\",\"params\":{\"message\":\"1 + 1 & "
         "\\u00fc\",\"n\":1.50},\"id\":7}",
         "http://h/s?method=a%2Fb&id=7&message=1%20%2B%201%20%26%20%C3%BC&n=1.50"},
        {"{\"method\":\"m\",\"id\":\"x\",\"params\":[\"p\"]}", "http://h/s?method=m&id=x"},
        {"{\"params\":{\"a\":null}}", "http://h/s?a=null"},
        {"[]", "http://h/s"},
    };
    const jck_target target = {.streams_url = "http://h/s"};
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(jck_target_query(&target, jrpc_slice_str(rows[i].message), &arena),
                            rows[i].url);
    }
    assert_null(jck_target_query(&target, JRPC_SLICE("{"), &arena));
    jrpc_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_with_a_scheme_names_a_place),
        cmocka_unit_test(a_wrong_word_is_refused_with_a_remedy),
        cmocka_unit_test(the_path_of_a_socket_has_a_longest_length),
        cmocka_unit_test(a_command_becomes_argv),
        cmocka_unit_test(a_command_to_start_is_split_as_a_shell_does),
        cmocka_unit_test(a_command_to_start_with_an_open_quote_or_nothing_is_refused),
        cmocka_unit_test(headers_add_up_and_wrong_ones_are_refused),
        cmocka_unit_test(a_target_offers_what_it_maps_or_says_what_is_missing),
        cmocka_unit_test(wrong_mappings_are_refused),
        cmocka_unit_test(a_call_goes_into_a_query_as_its_method_its_id_and_named_params),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
