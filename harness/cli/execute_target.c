// From the words of the command line to a target.
#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/effects.h"
#include "harness/cli/execute.h"
#include "harness/cli/words.h"
#include "harness/suite/nearest.h"

// Says what is missing where no target is named. False.
static bool refuse_nothing(const jck_options *options)
{
    if (options->command->bit == JCK_COMMAND_RUN) {
        jck_print_usage(stderr);
        (void)jck_complain_of("no target is named; a target is -- COMMAND ARGS, tcp://HOST:PORT, "
                              "unix:PATH, FILE.json or a name in targets/");
    } else {
        (void)jck_complain_of("no target is named; write jrpcheck %s CASE -- ./my-server",
                              options->command->name);
    }
    return false;
}

static bool refuse_words(const jck_options *options, size_t at)
{
    const char *first = options->operands.items[at];
    if (options->behind != NULL) {
        return jck_complain_of("'%.80s' and the command after -- are two targets; name one", first);
    }
    return jck_complain_of("'%.80s' is one target too many after '%.80s'; to start a command "
                           "write -- before it",
                           options->operands.items[at + 1], first);
}

// "lsit" is more likely a subcommand than a target.
static bool is_mistyped_command(const jck_options *options, const char *word)
{
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, jrpc_slice_str(word));
    for (const jck_command *command = jck_command_table(); command->name != NULL; command++) {
        jck_nearest_offer(&nearest, jrpc_slice_str(command->name));
    }
    if (options->command->bit != JCK_COMMAND_RUN || nearest.distance > 2 ||
        jck_nearest_hint(&nearest, hint, sizeof hint)[0] == '\0') {
        return false;
    }
    if (nearest.distance == 0) {
        (void)jck_complain_of("the command stands first: jrpcheck %s OPTIONS", word);
        return true;
    }
    (void)jck_complain_of(
        "there is neither a command nor a target '%.80s'%s (jrpcheck --help shows "
        "the commands)",
        word, hint);
    return true;
}

static bool load(jck_options *options, size_t at, jck_target *target, jrpc_error *error)
{
    if (options->behind != NULL) {
        return jck_target_from_command(target, options->behind, error);
    }
    return jck_target_load(target, options->operands.items[at], jck_data_targets(options), error);
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
    return (options->start == NULL || jck_target_set_start(target, options->start, error)) &&
           (options->prelude == NULL || jck_target_set_prelude(target, options->prelude, error));
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
    return jck_effects_check_target(options, target, error);
}

bool jck_execute_target(jck_options *options, size_t at, jck_target *target)
{
    *target = (jck_target){0};
    size_t words = options->operands.count > at ? options->operands.count - at : 0;
    if (words == 0 && options->behind == NULL) {
        return refuse_nothing(options);
    }
    if (words + (options->behind != NULL ? 1 : 0) > 1) {
        return refuse_words(options, at);
    }
    jrpc_error error = {0};
    if (!load(options, at, target, &error)) {
        return words > 0 && is_mistyped_command(options, options->operands.items[at])
                   ? false
                   : jck_complain(&error);
    }
    return apply(options, target, &error) || jck_complain(&error);
}
