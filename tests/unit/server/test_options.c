// The command line of jrpc-reference.
#include "reference/server/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { WORDS = 8 };

typedef struct command_line {
    char words[WORDS][64];
    char *argv[WORDS + 1];
    int argc;
} command_line;

static void split(command_line *line, const char *text)
{
    *line = (command_line){.argc = 0};
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        memcpy(line->words[line->argc], text, len);
        line->argv[line->argc] = line->words[line->argc];
        line->argc++;
        text += len + (text[len] == ' ');
    }
}

static void a_bad_word_gets_one_sentence_that_names_it(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"x --nonsense", "unknown option '--nonsense'; jrpc-reference --help shows them all"},
        {"x --tcp", "--tcp needs a value: --tcp HOST:PORT"},
        {"x --stdio=1", "--stdio takes no value"},
        {"x --fault nosuch",
         "there is no fault 'nosuch'; jrpc-reference --list-faults shows them all"},
        {"x --framing xml", "there is no framing 'xml'; choose line, content-length, concatenated "
                            "or length32"},
        {"x --tcp 4000", "--tcp '4000' is no HOST:PORT; write it like 127.0.0.1:4000 (port 0 "
                         "chooses a free one)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_line line;
        split(&line, cases[i].line);
        jrpc_server_options options = {.stdio = true};
        jrpc_error error;
        jrpc_error_clear(&error);
        assert_false(jrpc_server_options_read(line.argc, line.argv, &options, &error));
        assert_int_equal(error.code, JRPC_ERROR_USAGE);
        assert_string_equal(error.message, cases[i].message);
    }
}

static void stdio_is_the_default_only_when_nothing_else_is_given(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool stdio;
        size_t listeners;
    } cases[] = {
        {"x", true, 0},
        {"x --tcp 127.0.0.1:0", false, 1},
        {"x --tcp=[::1]:0 --unix=a --stdio", true, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_line line;
        split(&line, cases[i].line);
        jrpc_server_options options;
        assert_true(jrpc_server_options_read(line.argc, line.argv, &options, NULL));
        assert_int_equal(options.stdio, cases[i].stdio);
        assert_int_equal(options.listener_count, cases[i].listeners);
    }
}

static void an_address_of_ip_version_6_loses_its_brackets(void **state)
{
    (void)state;
    command_line line;
    split(&line, "x --tcp [::1]:4000");
    jrpc_server_options options;
    assert_true(jrpc_server_options_read(line.argc, line.argv, &options, NULL));
    assert_string_equal(options.listeners[0].host, "::1");
    assert_string_equal(options.listeners[0].port, "4000");
}

static void faults_add_up_and_those_of_1_0_bring_its_service(void **state)
{
    (void)state;
    command_line line;
    split(&line, "x --fault v1-error-omitted --fault id-int32");
    jrpc_server_options options;
    assert_true(jrpc_server_options_read(line.argc, line.argv, &options, NULL));
    assert_int_equal(options.fault_count, 2);
    assert_true(options.v1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_word_gets_one_sentence_that_names_it),
        cmocka_unit_test(stdio_is_the_default_only_when_nothing_else_is_given),
        cmocka_unit_test(an_address_of_ip_version_6_loses_its_brackets),
        cmocka_unit_test(faults_add_up_and_those_of_1_0_bring_its_service),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
