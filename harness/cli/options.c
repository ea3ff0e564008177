#include "harness/cli/options.h"

#include "harness/cli/commands.h"
#include "harness/cli/effects.h"
#include "harness/cli/take.h"
#include "harness/suite/nearest.h"

#include <stdio.h>
#include <string.h>

// The memory that one command line may take, including a service description (--openrpc).
#define OPTIONS_BYTES ((size_t)256 << 20)

#define AT(member) offsetof(jck_options, member)
enum {
    RUN = JCK_COMMAND_RUN,
    PARSER = JCK_COMMAND_PARSER,
    COMPARE = JCK_COMMAND_COMPARE,
    LIST = JCK_COMMAND_LIST,
    LINT = JCK_COMMAND_LINT,
    EXPLAIN = JCK_COMMAND_EXPLAIN,
    REPRO = JCK_COMMAND_REPRO,
    REPORT = JCK_COMMAND_REPORT,
    HELP = JCK_COMMAND_HELP,
    FUZZ = JCK_COMMAND_FUZZ,
    CLIENT = JCK_COMMAND_CLIENT,
    SHRINK = JCK_COMMAND_SHRINK,
    ALL = JCK_COMMAND_ALL,
};

static const jck_option table[] = {
    {"project", 0, "FILE", RUN | REPRO | SHRINK | FUZZ,
     "the project file to use, instead of the nearest jrpcheck.json", jck_take_word, AT(project), 0,
     0, JCK_SHAPES_TARGET},
    {"suite", 0, "NAME", RUN | COMPARE | LIST | CLIENT, "cases of this suite only (repeatable)",
     jck_take_words, AT(suites), 0, 0, JCK_SHAPES_RUN},
    {"only", 0, "GLOB", RUN | PARSER | COMPARE | LIST | CLIENT | FUZZ,
     "only cases whose id, rule or suite matches; for fuzz, rules (repeatable)", jck_take_words,
     AT(only), 0, 0, JCK_SHAPES_RUN},
    {"skip", 0, "GLOB", RUN | PARSER | COMPARE | LIST | CLIENT,
     "all but the cases whose id, rule or suite matches (repeatable)", jck_take_words, AT(skip), 0,
     0, JCK_SHAPES_RUN},
    {"strict", 0, NULL, RUN | PARSER | REPRO | SHRINK | CLIENT | FUZZ,
     "a broken SHOULD makes the run non-conformant too", jck_take_flag, AT(strict), 0, 0,
     JCK_SHAPES_TARGET},
    {"profile", 0, "NAME|FILE",
     RUN | PARSER | COMPARE | LIST | EXPLAIN | REPRO | SHRINK | CLIENT | FUZZ,
     "the protocol to judge by: spec (the default), or another of cases/profiles", jck_take_word,
     AT(profile), 0, 0, JCK_SHAPES_TARGET},
    {"framing", 0, "NAME", RUN | COMPARE | REPRO | SHRINK | CLIENT | FUZZ,
     "line (the default), content-length, concatenated or length32", jck_take_framing, 0, 0, 0,
     JCK_SHAPES_TARGET},
    {"transport", 0, "NAME", CLIENT | REPRO,
     "how the client connects: tcp (the default), unix, http, websocket or stdio",
     jck_take_transport, 0, 0, 0, JCK_SHAPES_TARGET},
    {"undriven", 0, NULL, CLIENT | REPRO,
     "the command is a client that makes its own calls, not a driver", jck_take_flag, AT(undriven),
     0, 0, JCK_SHAPES_TARGET},
    {"answer", 0, "METHOD=JSON", CLIENT | REPRO,
     "the result that calls of this method get, with --undriven (repeatable)", jck_take_words,
     AT(answers), 0, 0, JCK_SHAPES_TARGET},
    {"method", 0, "CAP=NAME", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "the target's method for a capability, such as echo=tools.echo (repeatable)", jck_take_words,
     AT(methods), 0, 0, JCK_SHAPES_TARGET},
    {"jwt-secret", 0, "FILE", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "sign a token for each message, as the engine port of an Ethereum node wants it",
     jck_take_word, AT(jwt_secret), 0, 0, JCK_SHAPES_TARGET},
    {"openrpc", 0, "FILE", RUN | REPRO | SHRINK | FUZZ,
     "the OpenRPC description to use too; discover or tools: ask the server for it", jck_take_word,
     AT(openrpc), 0, 0, JCK_SHAPES_TARGET},
    {"header", 0, "'K: V'", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "a header to send over HTTP (repeatable)", jck_take_words, AT(headers), 0, 0,
     JCK_SHAPES_TARGET},
    {"header-file", 0, "FILE", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "a file of headers, one per line; may use ${env:NAME} (repeatable)", jck_take_words,
     AT(header_files), 0, 0, JCK_SHAPES_TARGET},
    {"ca", 0, "FILE", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "certificates (PEM) to trust over TLS instead of the system's", jck_take_word, AT(ca_file), 0,
     0, JCK_SHAPES_TARGET},
    {"insecure", 0, NULL, RUN | COMPARE | REPRO | SHRINK | FUZZ, "accept any certificate over TLS",
     jck_take_flag, AT(insecure), 0, 0, JCK_SHAPES_TARGET},
    {"cert", 0, "FILE", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "the client certificate (PEM) for TLS", jck_take_word, AT(cert_file), 0, 0, JCK_SHAPES_TARGET},
    {"key", 0, "FILE", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "the key for --cert (PEM), if it is in another file", jck_take_word, AT(key_file), 0, 0,
     JCK_SHAPES_TARGET},
    {"proxy", 0, "URL", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "a proxy for HTTP and WebSocket; env: the one that the environment names", jck_take_word,
     AT(proxy), 0, 0, JCK_SHAPES_TARGET},
    {"prelude", 0, "FILE", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "steps to run first on every connection", jck_take_word, AT(prelude), 0, 0, JCK_SHAPES_TARGET},
    {"start", 0, "'CMD ARGS'", RUN | REPRO | SHRINK | FUZZ, "a command to start before connecting",
     jck_take_word, AT(start), 0, 0, JCK_SHAPES_TARGET},
    {"env", 0, "NAME=VALUE", RUN | PARSER | COMPARE | REPRO | SHRINK | CLIENT | FUZZ,
     "a variable in the environment of the program that is started (repeatable)", jck_take_words,
     AT(environment), 0, 0, JCK_SHAPES_TARGET},
    {"cwd", 0, "DIR", RUN | PARSER | COMPARE | REPRO | SHRINK | CLIENT | FUZZ,
     "the folder to start the program in", jck_take_word, AT(directory), 0, 0, JCK_SHAPES_TARGET},
    {"memory", 0, "MB", RUN | PARSER | COMPARE | REPRO | SHRINK | CLIENT | FUZZ,
     "the memory limit, in MB, of the program that is started", jck_take_count, AT(memory_mb), 1,
     1048576, JCK_SHAPES_TARGET},
    {"timeout", 0, "MS", RUN | PARSER | COMPARE | REPRO | SHRINK | CLIENT | FUZZ,
     "how long an answer may take (default: 1000 to 5000, by the target's speed)",
     jck_take_milliseconds, AT(timeout_ms), 1, 3600000, JCK_SHAPES_TARGET},
    {"start-timeout", 0, "MS", RUN | PARSER | COMPARE | REPRO | SHRINK | CLIENT | FUZZ,
     "how long the first answer may take (default 15000, or twice --timeout)",
     jck_take_milliseconds, AT(start_timeout_ms), 1, 3600000, JCK_SHAPES_TARGET},
    {"rate", 0, "N", RUN | COMPARE | REPRO | SHRINK | FUZZ,
     "at most N messages a second (default: no limit)", jck_take_count, AT(rate), 1, 1000000,
     JCK_SHAPES_RUN},
    {"no-discover", 0, NULL, RUN | COMPARE | SHRINK | FUZZ,
     "do not look for subtract, sum, get_data and echo; use --method alone", jck_take_flag,
     AT(no_discover), 0, 0, JCK_SHAPES_RUN},
    {"jobs", 0, "N", RUN | COMPARE | FUZZ | CLIENT,
     "connections (or processes) used at once (default: as many as help)", jck_take_count, AT(jobs),
     1, 64, JCK_SHAPES_RUN},
    {"max-time", 0, "TIME", RUN | PARSER | CLIENT | SHRINK,
     "end the run after this time (90s, 10m, 2h) and report what was found", jck_take_duration,
     AT(max_seconds), 1, 604800, JCK_SHAPES_RUN},
    {"shard", 0, "I/N", RUN | PARSER | CLIENT | FUZZ,
     "run part I of N of the cases; when fuzzing, use other inputs in each", jck_take_shard, 0, 0,
     0, JCK_SHAPES_RUN},
    {"shuffle", 0, "SEED", RUN | PARSER | CLIENT, "run in random order, determined by the seed",
     jck_take_shuffle, 0, 0, 0, JCK_SHAPES_RUN},
    {"repeat", 0, "N", RUN | PARSER | CLIENT, "run every case N times", jck_take_count, AT(repeat),
     1, 10000, JCK_SHAPES_RUN},
    {"fail-fast", 0, NULL, RUN | PARSER | CLIENT,
     "stop after the first case that makes the run non-conformant", jck_take_flag, AT(fail_fast), 0,
     0, JCK_SHAPES_RUN},
    {"time", 0, "TIME", FUZZ | PARSER, "fuzz for this time: 60s (the default), 10m, 2h",
     jck_take_duration, AT(fuzz_seconds), 1, 604800, JCK_SHAPES_RUN},
    {"messages", 0, "N", FUZZ, "send N messages, without a time limit", jck_take_count,
     AT(messages), 1, 4000000000u, JCK_SHAPES_RUN},
    {"seed", 0, "SEED", FUZZ | PARSER,
     "the seed of the generated inputs (default: a new one each time)", jck_take_seed, 0, 0, 0,
     JCK_SHAPES_RUN},
    {"corpus", 0, "DIR", FUZZ,
     "messages to start from; those that get a new kind of answer are added", jck_take_word,
     AT(corpus), 0, 0, JCK_SHAPES_RUN},
    {"i-may-fuzz", 0, "HOST", FUZZ, "fuzz a server on another machine, with its owner's permission",
     jck_take_word, AT(may_fuzz), 0, 0, JCK_SHAPES_RUN},
    {"baseline", 0, "FILE", RUN | PARSER | CLIENT | FUZZ, "known failures, each with a reason",
     jck_take_word, AT(baseline), 0, 0, JCK_SHAPES_RUN},
    {"update-baseline", 0, NULL, RUN | PARSER | CLIENT | FUZZ,
     "write what was found into the baseline", jck_take_flag, AT(update_baseline), 0, 0,
     JCK_SHAPES_OUTPUT},
    {"reason", 0, "TEXT", RUN | PARSER | CLIENT | FUZZ,
     "the reason for every entry that --update-baseline adds", jck_take_word, AT(reason), 0, 0,
     JCK_SHAPES_OUTPUT},
    {"plan", 0, NULL, RUN | PARSER,
     "print which cases would run, and which would be skipped and why", jck_take_flag, AT(plan), 0,
     0, JCK_SHAPES_OUTPUT},
    {"only-failed", 0, "FILE", RUN | PARSER | CLIENT,
     "run the cases that failed in an earlier run, given its event stream", jck_take_word,
     AT(only_failed), 0, 0, JCK_SHAPES_RUN},
    {"slowest", 0, "N", RUN | PARSER | CLIENT, "list the N slowest cases at the end",
     jck_take_count, AT(slowest), 1, 1000, JCK_SHAPES_OUTPUT},
    {"report", 0, "FORMAT[=PATH]", RUN | PARSER | REPORT | CLIENT | FUZZ,
     "a report, on standard output or into a file (repeatable)", jck_take_words, AT(reports), 0, 0,
     JCK_SHAPES_OUTPUT},
    {"since", 0, "FILE", REPORT, "the stream of an earlier run: show what changed since then",
     jck_take_word, AT(since), 0, 0, JCK_SHAPES_OUTPUT},
    {"links", 0, NULL, REPORT, "the matrix links each target to TARGET.html in the same folder",
     jck_take_flag, AT(links), 0, 0, JCK_SHAPES_OUTPUT},
    {"transcript", 0, "FILE", RUN | PARSER | REPRO | CLIENT | FUZZ,
     "write every message in both directions, one per line", jck_take_word, AT(transcript), 0, 0,
     JCK_SHAPES_OUTPUT},
    {"after", 0, "CASE", REPRO | SHRINK, "a case to send first; CASE*N: N times (repeatable)",
     jck_take_words, AT(after), 0, 0, JCK_SHAPES_OUTPUT},
    {"save", 0, "FILE|DIR", REPRO | SHRINK | FUZZ,
     "save what fails as a case file; when fuzzing, the folder for them", jck_take_word, AT(save),
     0, 0, JCK_SHAPES_OUTPUT},
    {"fuzz", 0, NULL, PARSER, "generated texts instead of the cases, for --time or --texts",
     jck_take_flag, AT(fuzz_parser), 0, 0, JCK_SHAPES_RUN},
    {"against", 0, "OTHER", PARSER,
     "compare with a parser: 'CMD ARGS', FILE.json, name in targets/ (repeatable)", jck_take_words,
     AT(against), 0, 0, JCK_SHAPES_RUN},
    {"texts", 0, "N", PARSER, "fuzz with N texts, without a time limit", jck_take_count, AT(texts),
     1, 1000000000, JCK_SHAPES_RUN},
    {"each", 0, NULL, PARSER | REPRO,
     "start the command once for each text, on stdin or in the file {}", jck_take_flag, AT(each), 0,
     0, JCK_SHAPES_TARGET},
    {"rules", 0, NULL, LIST, "the rules instead of the cases", jck_take_flag, AT(rules), 0, 0,
     JCK_SHAPES_OUTPUT},
    {"json", 0, NULL, LIST, "one JSON object per line, for programs", jck_take_flag, AT(json), 0, 0,
     JCK_SHAPES_OUTPUT},
    {"faults", 0, "FILE", LINT | EXPLAIN,
     "the output of jrpc-reference --list-faults, instead of running it", jck_take_word, AT(faults),
     0, 0, JCK_SHAPES_OUTPUT},
    {"cases", 0, "DIR", ALL & ~REPORT, "the folder of case files to use", jck_take_word, AT(cases),
     0, 0, JCK_SHAPES_TARGET},
    {"color", 0, "WHEN", RUN | PARSER | REPRO | REPORT | CLIENT | FUZZ,
     "auto (the default), always or never", jck_take_color, 0, 0, 0, JCK_SHAPES_OUTPUT},
    {"quiet", 'q', NULL, RUN | PARSER | REPORT | LINT | CLIENT | FUZZ,
     "the verdict, and one line for each broken rule", jck_take_flag, AT(quiet), 0, 0,
     JCK_SHAPES_OUTPUT},
    {"verbose", 'v', NULL, RUN | PARSER | REPORT | CLIENT | FUZZ,
     "each failing case when it fails; -vv: every case with its messages", jck_take_more,
     AT(verbose), 0, 0, JCK_SHAPES_OUTPUT},
    {"max-examples", 0, "N", RUN | PARSER | REPORT | CLIENT | FUZZ,
     "examples of each broken rule (default 1, as many as fit 60 lines; 0 to 20)",
     jck_take_examples, AT(max_examples), 0, 20, JCK_SHAPES_OUTPUT},
    {"man", 0, NULL, HELP, "the manual page, in the language of man(7)", jck_take_flag, AT(man), 0,
     0, JCK_SHAPES_OUTPUT},
    {"complete", 0, NULL, HELP, "completions of the last word after --, for a shell", jck_take_flag,
     AT(complete), 0, 0, JCK_SHAPES_OUTPUT},
    {"help", 'h', NULL, ALL, "print this", jck_take_flag, AT(help), 0, 0, JCK_SHAPES_OUTPUT},
    {"version", 0, NULL, ALL, "print the version", jck_take_flag, AT(version), 0, 0,
     JCK_SHAPES_OUTPUT},
    {NULL, 0, NULL, 0, NULL, NULL, 0, 0, 0, JCK_SHAPES_OUTPUT},
};

const jck_option *jck_option_table(void)
{
    return table;
}

const jck_option *jck_option_named(jrpc_slice name)
{
    for (const jck_option *option = table; option->name != NULL; option++) {
        if (jrpc_slice_is(name, option->name)) {
            return option;
        }
    }
    return NULL;
}

static const jck_option *option_of_letter(char letter)
{
    for (const jck_option *option = table; option->name != NULL; option++) {
        if (option->letter != '\0' && option->letter == letter) {
            return option;
        }
    }
    return NULL;
}

static bool refuse(const char *word, const jck_command *command, jrpc_error *error)
{
    jck_nearest nearest;
    const char *bare = word + strspn(word, "-");
    jrpc_slice name = {bare, strcspn(bare, "=")};
    jck_nearest_init(&nearest, name);
    for (const jck_option *option = table; option->name != NULL; option++) {
        if ((option->commands & command->bit) != 0) {
            jck_nearest_offer(&nearest, jrpc_slice_str(option->name));
        }
    }
    char hint[160];
    if (jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "unknown option '%.80s'; did you mean --%.*s? (jrpcheck --help shows "
                              "them all)",
                              word, (int)nearest.found.len, nearest.found.ptr);
    }
    return jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "unknown option '%.80s'; jrpcheck --help shows them all", word);
}

static void keep(jck_words *said, const char *word, const char *value)
{
    said->items[said->count++] = word;
    if (value != NULL && strchr(word, '=') == NULL) {
        said->items[said->count++] = value;
    }
}

// Records an option as given, with its value, for the lines that repeat a case and the run.
static void remember(jck_options *options, const jck_option *option, const char *word,
                     const char *value)
{
    switch (option->shapes) {
    case JCK_SHAPES_OUTPUT:
        break;
    case JCK_SHAPES_TARGET:
        keep(&options->target_said, word, value);
        keep(&options->run_said, word, value);
        break;
    case JCK_SHAPES_RUN:
        keep(&options->run_said, word, value);
        break;
    }
}

static bool take_option(jck_options *options, int argc, char *const *argv, int *at,
                        jrpc_error *error)
{
    const char *word = argv[*at];
    const jck_option *option;
    const char *value = NULL;
    if (word[1] == '-') {
        size_t len = strcspn(word, "=");
        option = jck_option_named(jrpc_slice_of(word + 2, len - 2));
        value = word[len] == '=' ? word + len + 1 : NULL;
    } else {
        // -vv is -v -v; no other letter may be repeated.
        bool twice = word[1] == 'v' && strcmp(word, "-vv") == 0;
        options->verbose += twice;
        option = word[2] == '\0' || twice ? option_of_letter(word[1]) : NULL;
    }
    if (option == NULL) {
        return refuse(word, options->command, error);
    }
    if ((option->commands & options->command->bit) == 0) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "jrpcheck %s takes no --%s; jrpcheck %s --help shows what it takes",
                              options->command->name, option->name, options->command->name);
    }
    if (option->value == NULL && value != NULL) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "--%s takes no value", option->name);
    }
    if (option->value != NULL && value == NULL) {
        if (*at + 1 == argc || strcmp(argv[*at + 1], "--") == 0) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE, "--%s needs a value: --%s %s",
                                  option->name, option->name, option->value);
        }
        value = argv[++*at];
    }
    remember(options, option, word, value);
    return option->take(option, options, value, error);
}

static bool make_lists(jck_options *options, int argc, jrpc_error *error)
{
    jck_words *const lists[] = {&options->suites,      &options->only,     &options->skip,
                                &options->methods,     &options->headers,  &options->header_files,
                                &options->environment, &options->reports,  &options->operands,
                                &options->target_said, &options->run_said, &options->after,
                                &options->answers,     &options->against};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i]->items =
            jrpc_arena_array(&options->arena, (size_t)argc + 1, sizeof *lists[i]->items);
        if (lists[i]->items == NULL) {
            return jrpc_error_set(error, JRPC_ERROR_LIMIT, "the command line has too many words");
        }
    }
    return true;
}

bool jck_options_read(jck_options *options, int argc, char *const *argv, jrpc_error *error)
{
    *options = (jck_options){
        .command = jck_command_table(), .repeat = 1, .shard_index = 1, .shard_count = 1};
    jrpc_arena_init(&options->arena, jrpc_allocator_heap(), OPTIONS_BYTES);
    if (!make_lists(options, argc, error)) {
        return false;
    }
    int at = 1;
    const jck_command *named = argc > 1 ? jck_command_named(argv[1]) : NULL;
    if (named != NULL) {
        options->command = named;
        at = 2;
    }
    for (; at < argc; at++) {
        if (strcmp(argv[at], "--") == 0) {
            options->behind = argv + at + 1;
            break;
        }
        if (argv[at][0] != '-' || argv[at][1] == '\0') {
            options->operands.items[options->operands.count++] = argv[at];
        } else if (!take_option(options, argc, argv, &at, error)) {
            return false;
        }
    }
    return options->help || jck_effects_check(options, error);
}

void jck_options_done(jck_options *options)
{
    jrpc_arena_done(&options->arena);
}
