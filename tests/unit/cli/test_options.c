// The command line: what is taken, what is refused, and that the table is sound.
#include "harness/cli/commands.h"
#include "harness/cli/repro_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define WORDS_MAX 16

static const struct {
    const char *words[WORDS_MAX];
    const char *sentence; // a part of it
} refused[] = {
    {{"--strct"}, "did you mean --strict?"},
    {{"--xyzzy"}, "unknown option '--xyzzy'; jrpcheck --help shows them all"},
    {{"-x"}, "unknown option '-x'"},
    {{"-qv"}, "unknown option '-qv'"},
    {{"---"}, "unknown option '---'"},
    {{"--only"}, "--only needs a value: --only GLOB"},
    {{"--only", "--", "cat"}, "--only needs a value"},
    {{"--only="}, "--only is empty"},
    {{"--baseline", ""}, "--baseline is empty"},
    {{"--strict=yes"}, "--strict takes no value"},
    {{"--framing", "lines"}, "choose line, content-length, concatenated or length32"},
    {{"--profile", ""}, "--profile is empty"},
    {{"--color=blue"}, "choose auto, always or never"},
    {{"--timeout", "0"}, "is not a duration; write a number of milliseconds"},
    {{"--timeout", "-1"}, "not a duration"},
    {{"--timeout", "1.5"}, "not a duration"},
    {{"--timeout", "61m"}, "not a duration"},
    {{"--timeout", "5 s"}, "not a duration"},
    {{"--timeout", "ms"}, "not a duration"},
    {{"--timeout", "99999999999999999999999999"}, "not a duration"},
    {{"--timeout", ""}, "not a duration"},
    {{"--max-time", "0"}, "write 30s, 10m or 2h, at most a week"},
    {{"--max-time", "500ms"}, "not a duration"},
    {{"--max-time", "8000000h"}, "not a duration"},
    {{"--max-time", "169h"}, "at most a week"},
    {{"--jobs", "65"}, "from 1 to 64"},
    {{"--repeat", "x"}, "not a whole number"},
    {{"--shard", "3"}, "write I/N"},
    {{"--shard", "0/2"}, "write I/N"},
    {{"--shard", "3/2"}, "write I/N"},
    {{"--shard", "1/"}, "write I/N"},
    {{"--shard", "/2"}, "write I/N"},
    {{"--shard", "00000000000000000001/2"}, "write I/N"},
    {{"--shuffle", "often"}, "is not a seed"},
    {{"--shuffle", "18446744073709551616"}, "is not a seed"},
    {{"list", "--strict"}, "jrpcheck list takes no --strict"},
    {{"run", "--rules"}, "jrpcheck run takes no --rules"},
    {{"report", "--cases", "x"}, "jrpcheck report takes no --cases"},
};

static bool read_words(const char *const *words, jck_options *options, jrpc_error *error)
{
    static char program[] = "jrpcheck";
    static char copies[WORDS_MAX][64];
    static char *argv[WORDS_MAX + 2]; // options borrow the words after --
    memset(argv, 0, sizeof argv);
    argv[0] = program;
    int argc = 1;
    for (size_t i = 0; i < WORDS_MAX && words[i] != NULL; i++) {
        assert_true(strlen(words[i]) < sizeof copies[i]);
        memcpy(copies[i], words[i], strlen(words[i]) + 1);
        argv[argc++] = copies[i];
    }
    return jck_options_read(options, argc, argv, error);
}

static void an_off_word_is_named_with_a_remedy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        jck_options options;
        jrpc_error error = {0};
        bool taken = read_words(refused[i].words, &options, &error);
        if (taken || error.code != JRPC_ERROR_USAGE ||
            strstr(error.message, refused[i].sentence) == NULL) {
            fail_msg("%s: %s", refused[i].words[0], error.message);
        }
        jck_options_done(&options);
    }
}

static void options_stand_anywhere_and_take_values_in_both_ways(void **state)
{
    (void)state;
    static const char *const words[WORDS_MAX] = {
        "--only=a",           "tcp://h:1", "--only",    "b",
        "--shard=2/4",        "-q",        "--shuffle", "18446744073709551615",
        "--framing=length32", "--timeout", "250",       NULL};
    jck_options options;
    jrpc_error error = {0};
    assert_true(read_words(words, &options, &error));
    assert_string_equal(options.command->name, "run");
    assert_int_equal(options.only.count, 2);
    assert_string_equal(options.only.items[0], "a");
    assert_string_equal(options.only.items[1], "b");
    assert_int_equal(options.operands.count, 1);
    assert_string_equal(options.operands.items[0], "tcp://h:1");
    assert_null(options.behind);
    assert_int_equal(options.shard_index, 2);
    assert_int_equal(options.shard_count, 4);
    assert_true(options.quiet);
    assert_true(options.shuffle);
    assert_true(options.seed == UINT64_MAX);
    assert_int_equal(options.framing, JRPC_FRAMING_LENGTH32);
    assert_int_equal(options.timeout_ms, 250);
    // What says how to reach the target, as it was spelled.
    assert_int_equal(options.target_said.count, 3);
    assert_string_equal(options.target_said.items[0], "--framing=length32");
    assert_string_equal(options.target_said.items[1], "--timeout");
    assert_string_equal(options.target_said.items[2], "250");
    jck_options_done(&options);
}

static void durations_are_read_in_one_way(void **state)
{
    (void)state;
    static const struct {
        const char *words[WORDS_MAX];
        unsigned timeout_ms, seconds;
    } samples[] = {
        {{"--timeout", "250", "--max-time", "90"}, 250, 90},
        {{"--timeout", "250ms", "--max-time", "90s"}, 250, 90},
        {{"--timeout", "2s", "--max-time", "10m"}, 2000, 600},
        {{"--timeout", "1m", "--max-time", "2h"}, 60000, 7200},
        {{"--timeout", "1h", "--max-time", "3000ms"}, 3600000, 3},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        jck_options options;
        jrpc_error error = {0};
        assert_true(read_words(samples[i].words, &options, &error));
        assert_int_equal(options.timeout_ms, samples[i].timeout_ms);
        assert_int_equal(options.max_seconds, samples[i].seconds);
        jck_options_done(&options);
    }
}

// What the line that repeats a run keeps: everything but where the reports go and what is shown.
static void a_run_is_repeated_by_its_own_words(void **state)
{
    (void)state;
    static const struct {
        const char *words[WORDS_MAX], *expected;
    } samples[] = {
        {{"--only", "batch/*", "--report", "html=x", "-v", "--shuffle=7", "--color", "never",
          "--method", "sum=add", "--jobs", "2", "--", "python3", "my server.py"},
         "--only 'batch/*' --shuffle=7 --method sum=add --jobs 2 -- python3 'my server.py'"},
        {{"run", "http://user:pw@h/", "--header", "Authorization: Bearer x", "--update-baseline",
          "--baseline", "known.json", "--reason", "later", "--transcript", "t"},
         "--header 'Authorization: ***' --baseline known.json 'http://user:***@h/'"},
        {{"client", "--transport", "unix", "--skip", "a", "-q", "--slowest", "3", "--", "./driver"},
         "client --transport unix --skip a -- ./driver"},
        {{"parser", "--fuzz", "--texts", "9", "--max-examples", "2", "--", "./adapter"},
         "parser --fuzz --texts 9 --seed 4711 -- ./adapter"},
        {{"fuzz", "--seed", "5", "--save", "found", "--time", "9s", "tcp://h:1"},
         "fuzz --seed 5 --time 9s --save found tcp://h:1"},
        {{"fuzz", "tcp://h:1"}, "fuzz --seed 4711 tcp://h:1"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        jck_options options;
        jrpc_error error = {0};
        assert_true(read_words(samples[i].words, &options, &error));
        assert_string_equal(jck_command_words(&options, 4711), samples[i].expected);
        jck_options_done(&options);
    }
}

static void a_command_that_runs_no_selection_is_not_repeated(void **state)
{
    (void)state;
    static const char *const words[WORDS_MAX] = {"repro", "batch/empty", "tcp://h:1", NULL};
    jck_options options;
    jrpc_error error = {0};
    assert_true(read_words(words, &options, &error));
    assert_null(jck_command_words(&options, 1));
    jck_options_done(&options);
}

static void behind_two_dashes_nothing_is_an_option(void **state)
{
    (void)state;
    static const char *const words[WORDS_MAX] = {"run", "--", "cat", "--strict", "--", NULL};
    jck_options options;
    jrpc_error error = {0};
    assert_true(read_words(words, &options, &error));
    assert_false(options.strict);
    assert_int_equal(options.operands.count, 0);
    assert_string_equal(options.behind[0], "cat");
    assert_string_equal(options.behind[1], "--strict");
    assert_string_equal(options.behind[2], "--");
    assert_null(options.behind[3]);
    jck_options_done(&options);
}

static void only_the_first_word_names_a_subcommand(void **state)
{
    (void)state;
    static const char *const words[WORDS_MAX] = {"repro", "list", "run", NULL};
    jck_options options;
    jrpc_error error = {0};
    assert_true(read_words(words, &options, &error));
    assert_string_equal(options.command->name, "repro");
    assert_int_equal(options.operands.count, 2);
    jck_options_done(&options);
}

static void the_table_is_sound(void **state)
{
    (void)state;
    for (const jck_option *option = jck_option_table(); option->name != NULL; option++) {
        assert_non_null(option->help);
        assert_true(strlen(option->help) < 80);
        assert_non_null(option->take);
        assert_true(option->commands != 0 && (option->commands & ~(unsigned)JCK_COMMAND_ALL) == 0);
        for (const jck_option *other = option + 1; other->name != NULL; other++) {
            assert_string_not_equal(option->name, other->name);
            assert_true(option->letter == '\0' || option->letter != other->letter);
        }
    }
    jck_commands all = 0;
    for (const jck_command *command = jck_command_table(); command->name != NULL; command++) {
        assert_int_equal(all & command->bit, 0);
        assert_ptr_equal(jck_command_named(command->name), command);
        all |= command->bit;
    }
    assert_int_equal(all, JCK_COMMAND_ALL);
    assert_null(jck_command_named("runs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_off_word_is_named_with_a_remedy),
        cmocka_unit_test(options_stand_anywhere_and_take_values_in_both_ways),
        cmocka_unit_test(durations_are_read_in_one_way),
        cmocka_unit_test(a_run_is_repeated_by_its_own_words),
        cmocka_unit_test(a_command_that_runs_no_selection_is_not_repeated),
        cmocka_unit_test(behind_two_dashes_nothing_is_an_option),
        cmocka_unit_test(only_the_first_word_names_a_subcommand),
        cmocka_unit_test(the_table_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
