// From the arguments of the command line to a target.
#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/effects.h"
#include "harness/cli/execute.h"
#include "harness/cli/words.h"
#include "harness/suite/file.h"
#include "harness/suite/nearest.h"
#include "harness/suite/project.h"
#include "reference/base/file.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// The longest file of certificates: a system's whole collection is far smaller.
#define PEM_BYTES ((size_t)16 << 20)

// What a command could be called with.
static const char *example_of(jck_command_bit command)
{
    return command == JCK_COMMAND_PARSER   ? "-- ./my-adapter"
           : command == JCK_COMMAND_CLIENT ? "-- ./my-driver"
           : command == JCK_COMMAND_FUZZ   ? "-- ./my-server"
                                           : "CASE -- ./my-server";
}

// Reports what is missing if no target is named. Always false.
static bool refuse_nothing(const jck_options *options)
{
    if (options->command->bit == JCK_COMMAND_RUN) {
        jck_print_usage(stderr);
        (void)jck_complain_of("no target is named; a target is -- COMMAND ARGS, tcp://HOST:PORT, "
                              "unix:PATH, FILE.json or a name in targets/, or a jrpcheck.json here "
                              "or in a folder above names it");
    } else {
        (void)jck_complain_of("no target is named; write jrpcheck %s %s", options->command->name,
                              example_of(options->command->bit));
    }
    return false;
}

static bool refuse_words(const jck_options *options, size_t at)
{
    const char *first = options->operands.items[at];
    char hint[160];
    if (options->behind != NULL) {
        return jck_complain_of("'%.80s' and the command after -- are two targets; name only one%s",
                               first, jck_command_hint(first, hint, sizeof hint));
    }
    return jck_complain_of("'%.80s' is a second target after '%.80s'; to start a command "
                           "write -- before it",
                           options->operands.items[at + 1], first);
}

// "lsit" is more likely a subcommand than a target.
static bool is_mistyped_command(const jck_options *options, const char *word)
{
    char hint[160];
    bool known = jck_command_named(word) != NULL;
    if (options->command->bit != JCK_COMMAND_RUN ||
        (!known && jck_command_hint(word, hint, sizeof hint)[0] == '\0')) {
        return false;
    }
    if (known) {
        (void)jck_complain_of("the command comes first: jrpcheck %s OPTIONS", word);
        return true;
    }
    (void)jck_complain_of(
        "there is neither a command nor a target '%.80s'%s (jrpcheck --help shows "
        "the commands)",
        word, hint);
    return true;
}

// If several targets are named, "--" cannot be used: a program, or an argument with arguments in
// it, is a command.
static bool is_command(const char *word)
{
    struct stat status;
    bool program = stat(word, &status) == 0 && S_ISREG(status.st_mode) && access(word, X_OK) == 0;
    return !jck_is_url(word) && (program || strpbrk(word, " \t") != NULL);
}

// A command, a description, or a name.
static bool load_word(jck_options *options, const char *word, jck_target *target, jrpc_error *error)
{
    return is_command(word) ? jck_target_from_words(target, word, error)
                            : jck_target_load(target, word, jck_data_targets(options), error);
}

static bool load(jck_options *options, size_t at, jck_target *target, jrpc_error *error)
{
    if (options->behind != NULL) {
        return jck_target_from_command(target, options->behind, error);
    }
    const char *word = options->operands.items[at];
    return options->command->bit == JCK_COMMAND_COMPARE || options->against.count > 0
               ? load_word(options, word, target, error)
               : jck_target_load(target, word, jck_data_targets(options), error);
}

static bool apply_words(jck_options *options, jck_target *target, jrpc_error *error)
{
    for (size_t i = 0; i < options->methods.count; i++) {
        if (!jck_target_add_mapping(target, options->methods.items[i], error)) {
            return false;
        }
    }
    for (size_t i = 0; i < options->headers.count; i++) {
        if (!jck_target_add_header(target, options->headers.items[i], error)) {
            return false;
        }
    }
    for (size_t i = 0; i < options->header_files.count; i++) {
        if (!jck_target_add_header_file(target, options->header_files.items[i], error)) {
            return false;
        }
    }
    for (size_t i = 0; i < options->environment.count; i++) {
        if (!jck_target_add_environment(target, options->environment.items[i], error)) {
            return false;
        }
    }
    return (options->jwt_secret == NULL ||
            jck_target_set_secret(target, options->jwt_secret, error)) &&
           (options->start == NULL || jck_target_set_start(target, options->start, error)) &&
           (options->prelude == NULL || jck_target_set_prelude(target, options->prelude, error));
}

// A file that a library opens only when it connects: it must be there, and be PEM.
static bool check_pem(const char *option, const char *file, jrpc_error *error)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), PEM_BYTES);
    bool right = jrpc_file_read(file, &text, error) &&
                 (jrpc_slice_contains(jrpc_buffer_slice(&text), JRPC_SLICE("-----BEGIN ")) ||
                  jrpc_error_set(error, JRPC_ERROR_USAGE,
                                 "%.200s is not a PEM file, as %s needs: it has no line "
                                 "-----BEGIN …-----",
                                 file, option));
    jrpc_buffer_done(&text);
    return right;
}

// A folder that an option names; `may_be_missing` if it is made where it is not there.
static bool check_folder(const char *option, const char *path, bool may_be_missing,
                         jrpc_error *error)
{
    jck_file_kind kind = path == NULL ? JCK_FILE_FOLDER : jck_file_kind_of(path);
    return kind == JCK_FILE_FOLDER || (kind == JCK_FILE_MISSING && may_be_missing) ||
           jrpc_error_set(error, JRPC_ERROR_USAGE, "%s '%.200s' is not a folder", option, path);
}

// Checks what is opened only later, so that nothing is started in vain.
static bool check_places(const jck_options *options, jrpc_error *error)
{
    const bool fuzzes = options->command->bit == JCK_COMMAND_FUZZ;
    return (options->ca_file == NULL || check_pem("--ca", options->ca_file, error)) &&
           (options->cert_file == NULL || check_pem("--cert", options->cert_file, error)) &&
           (options->key_file == NULL || check_pem("--key", options->key_file, error)) &&
           check_folder("--cwd", options->directory, false, error) &&
           check_folder("--corpus", options->corpus, true, error) &&
           check_folder("--save", fuzzes ? options->save : NULL, true, error);
}

static bool apply(jck_options *options, jck_target *target, jrpc_error *error)
{
    if (options->framing_given) {
        target->framing = options->framing;
        target->framing_given = true;
    }
    if (options->timeout_ms > 0) {
        target->reply_ms = options->timeout_ms;
    }
    if (options->rate > 0) {
        options->jobs = options->jobs > 0 ? options->jobs : 1; // several would have to share the
                                                               // rate
        target->interval_us = (int64_t)1000000 * options->jobs / options->rate;
    }
    if (!apply_words(options, target, error)) {
        return false;
    }
    if (jck_target_traits(target)->is_web && !JRPC_HTTP) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "this build has no HTTP and no WebSocket; test the server over "
                              "stdio (-- COMMAND), tcp://HOST:PORT or unix:PATH");
    }
    target->ca_file = options->ca_file;
    target->insecure = options->insecure;
    target->cert_file = options->cert_file;
    target->key_file = options->key_file;
    target->proxy = options->proxy;
    target->memory = (uint64_t)options->memory_mb << 20;
    target->start_ms = options->start_timeout_ms;
    target->directory = options->directory != NULL ? options->directory : target->directory;
    return jck_effects_check_target(options, target, error) && check_places(options, error);
}

// The project file that --project names, or one found here or in a parent folder; or NULL.
static const char *find_project(jck_options *options)
{
    const jck_option *named = jck_option_named(JRPC_SLICE("project"));
    if (options->project != NULL || (named->commands & options->command->bit) == 0) {
        return options->project;
    }
    char here[4096];
    if (getcwd(here, sizeof here) == NULL) {
        return NULL;
    }
    options->project = jck_project_find(&options->arena, here);
    return options->project;
}

// Takes the target of a project, and its reports.
static bool load_project(jck_options *options, const char *file, jck_target *target)
{
    jrpc_error error = {0};
    jck_project project;
    (void)fprintf(stderr, "jrpcheck: using the project file %s\n", file);
    if (!jck_project_read(target, file, jck_data_targets(options), &project, &error)) {
        return jck_complain(&error);
    }
    size_t count = 0;
    while (project.reports != NULL && project.reports[count] != NULL) {
        count++;
    }
    bool takes_reports = options->command->bit == JCK_COMMAND_RUN && !options->plan;
    if (count > 0 && options->reports.count == 0 && takes_reports) {
        options->reports = (jck_words){.items = project.reports, .count = count};
    }
    return apply(options, target, &error) || jck_complain(&error);
}

bool jck_execute_target(jck_options *options, size_t at, jck_target *target)
{
    *target = (jck_target){0};
    size_t words = options->operands.count > at ? options->operands.count - at : 0;
    if (words + (options->behind != NULL ? 1 : 0) > 1 && options->against.count == 0) {
        return refuse_words(options, at);
    }
    jrpc_error error = {0};
    const char *project = words == 0 && options->behind == NULL ? find_project(options) : NULL;
    if (project != NULL) {
        return load_project(options, project, target);
    }
    if (words == 0 && options->behind == NULL) {
        return refuse_nothing(options);
    }
    if (options->project != NULL) {
        return jck_complain_of("--project and '%.80s' are two targets; name one",
                               options->operands.items[at]);
    }
    if (!load(options, at, target, &error)) {
        return words > 0 && is_mistyped_command(options, options->operands.items[at])
                   ? false
                   : jck_complain(&error);
    }
    return apply(options, target, &error) || jck_complain(&error);
}

bool jck_execute_other(jck_options *options, const char *word, jck_target *target)
{
    jrpc_error error = {0};
    return (load_word(options, word, target, &error) && apply(options, target, &error)) ||
           jck_complain(&error);
}
