#include "harness/cli/effects.h"

#include "harness/cli/commands.h"

#include <string.h>

#define OF_STARTED " is for a server that jrpcheck starts: -- COMMAND, or --start"

// A rule about options: violated if `given` is true and `allowed` is not.
typedef struct effect {
    bool given, allowed;
    const char *sentence;
} effect;

static bool check(const effect *effects, size_t count, jrpc_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (effects[i].given && !effects[i].allowed) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE, "%s", effects[i].sentence);
        }
    }
    return true;
}

static bool makes_a_matrix(const jck_options *options)
{
    bool matrix = false;
    for (size_t i = 0; i < options->reports.count; i++) {
        const char *spec = options->reports.items[i];
        matrix =
            matrix || (strcspn(spec, "=") == strlen("matrix") && strncmp(spec, "matrix", 6) == 0);
    }
    return matrix;
}

// All options that make an output: a plan makes none.
static bool makes_output(const jck_options *options)
{
    return options->reports.count > 0 || options->transcript != NULL || options->update_baseline ||
           options->slowest > 0;
}

bool jck_effects_check(const jck_options *options, jrpc_error *error)
{
    const bool parser = options->command->bit == JCK_COMMAND_PARSER;
    const effect effects[] = {
        {options->quiet && options->verbose, false, "--quiet and --verbose exclude each other"},
        {parser && (options->texts > 0 || options->fuzz_seconds > 0 || options->seeded),
         options->fuzz_parser, "--texts, --time and --seed are for generated texts: add --fuzz"},
        {options->links, makes_a_matrix(options),
         "--links is about the matrix: add --report matrix=FILE"},
        {options->project != NULL, options->behind == NULL,
         "--project already names the target; leave out --project or the command after --"},
        {options->against.count > 0, !options->each,
         "--against needs adapters, which say what they read; --each has none"},
        {options->against.count > 0, options->baseline == NULL,
         "--against compares; a baseline is for runs of the cases"},
        {options->reason != NULL, options->update_baseline,
         "--reason applies to the entries that --update-baseline adds; add --update-baseline"},
        {options->key_file != NULL, options->cert_file != NULL,
         "--key needs a certificate: add --cert FILE"},
        {options->plan, !makes_output(options),
         "--plan runs nothing: leave out --report, --transcript, --slowest and --update-baseline"},
        {options->command->bit == JCK_COMMAND_LIST && options->rules,
         options->only.count + options->skip.count + options->suites.count == 0,
         "--rules lists all rules; --suite, --only and --skip choose cases"},
    };
    return check(effects, sizeof effects / sizeof *effects, error);
}

bool jck_effects_check_target(const jck_options *options, const jck_target *target,
                              jrpc_error *error)
{
    const jrpc_traits *traits = jck_target_traits(target);
    bool tls = target->url != NULL && (strncmp(target->url, "https:", strlen("https:")) == 0 ||
                                       strncmp(target->url, "wss:", strlen("wss:")) == 0);
    bool started = traits->is_child || target->start != NULL;
    const effect effects[] = {
        {options->framing_given, traits->byte_stream,
         "--framing is for streams (stdio, tcp, unix); HTTP and WebSocket separate messages "
         "themselves"},
        {options->headers.count > 0, traits->is_web,
         "--header is for HTTP and WebSocket; nothing else carries headers"},
        {options->insecure, tls, "--insecure is for https:// and wss://; this target has no TLS"},
        {options->ca_file != NULL, tls, "--ca is for https:// and wss://; this target has no TLS"},
        {options->cert_file != NULL, tls,
         "--cert is for https:// and wss://; this target has no TLS"},
        {options->proxy != NULL, traits->is_web, "--proxy is for HTTP and WebSocket"},
        {options->jwt_secret != NULL, traits->is_web,
         "--jwt-secret is for HTTP and WebSocket; nothing else carries tokens"},
        {options->header_files.count > 0, traits->is_web,
         "--header-file is for HTTP and WebSocket; nothing else carries headers"},
        {options->environment.count > 0, started, "--env" OF_STARTED},
        {options->directory != NULL, started, "--cwd" OF_STARTED},
        {options->memory_mb > 0, started, "--memory" OF_STARTED},
        {options->start != NULL, !traits->is_child,
         "--start is for a server that jrpcheck then connects to; write the command of a server on "
         "stdio after --"},
    };
    return check(effects, sizeof effects / sizeof *effects, error);
}
