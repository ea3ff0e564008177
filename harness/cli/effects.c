#include "harness/cli/effects.h"

#include "harness/cli/commands.h"

#include <string.h>

// A rule about options: it is broken where `given` holds and `allowed` does not.
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

bool jck_effects_check(const jck_options *options, jrpc_error *error)
{
    const effect effects[] = {
        {options->quiet && options->verbose, false, "--quiet and --verbose exclude each other"},
        {options->links, makes_a_matrix(options),
         "--links is about the matrix: add --report matrix=FILE"},
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
    const effect effects[] = {
        {options->framing_given, traits->byte_stream,
         "--framing is for streams (stdio, tcp, unix); HTTP and WebSocket have messages of their "
         "own"},
        {options->headers.count > 0, traits->is_web,
         "--header is for HTTP and WebSocket; nothing else carries headers"},
        {options->insecure, tls, "--insecure is for https:// and wss://; this target has no TLS"},
        {options->ca_file != NULL, tls, "--ca is for https:// and wss://; this target has no TLS"},
        {options->start != NULL, !traits->is_child,
         "--start is for a server that is then connected to; a server on stdio stands after --"},
    };
    return check(effects, sizeof effects / sizeof *effects, error);
}
