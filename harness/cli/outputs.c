#include "harness/cli/outputs.h"

#include "harness/cli/commands.h"

#include <stdlib.h>
#include <unistd.h>

static bool to_stdout(const char *spec, const char **ret_format_end)
{
    const char *equals = strchr(spec, '=');
    *ret_format_end = equals == NULL ? spec + strlen(spec) : equals;
    return equals == NULL || strcmp(equals + 1, "-") == 0;
}

static bool wants_color(const jck_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    switch (options->color) {
    case JCK_COLOR_ALWAYS:
        return true;
    case JCK_COLOR_NEVER:
        return false;
    case JCK_COLOR_AUTO:
        return isatty(STDOUT_FILENO) == 1 && (no_color == NULL || no_color[0] == '\0') &&
               (terminal == NULL || strcmp(terminal, "dumb") != 0);
    }
    return false;
}

// The path of the first report that shows people every case, or NULL. One case that is repeated is
// shown whole, and no option makes another report of it.
static const char *whole_report(const jck_options *options)
{
    if (options->command->bit == JCK_COMMAND_REPRO) {
        return "";
    }
    static const char *const whole[] = {"html=", "markdown="};
    for (size_t format = 0; format < sizeof whole / sizeof whole[0]; format++) {
        size_t len = strlen(whole[format]);
        for (size_t i = 0; i < options->reports.count; i++) {
            const char *spec = options->reports.items[i];
            if (strncmp(spec, whole[format], len) == 0 && strcmp(spec + len, "-") != 0) {
                return spec + len;
            }
        }
    }
    return NULL;
}

static bool add_all(const jck_options *options, unsigned verbose, jck_reports *reports,
                    jrpc_error *error)
{
    bool stdout_taken = false;
    bool console = false;
    const jck_report_options there = {
        .color = wants_color(options),
        .terminal = isatty(STDOUT_FILENO) == 1,
        .quiet = options->quiet,
        .verbose = verbose,
        .examples = options->max_examples,
        .no_examples = options->max_examples_given && options->max_examples == 0,
        .elsewhere = whole_report(options),
        .links = options->links,
        .since = options->since != NULL,
    };
    jck_report_options elsewhere = there;
    elsewhere.color = options->color == JCK_COLOR_ALWAYS;
    elsewhere.terminal = false;
    // Mistakes are found before the first file is opened.
    for (size_t i = 0; i < options->reports.count; i++) {
        if (!jck_reports_check(options->reports.items[i], options->since != NULL, error)) {
            return false;
        }
    }
    for (size_t i = 0; i < options->reports.count; i++) {
        const char *spec = options->reports.items[i];
        const char *format_end;
        bool here = to_stdout(spec, &format_end);
        if (here && stdout_taken) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "two reports cannot share standard output; write --report "
                                  "%.*s=FILE",
                                  (int)(format_end - spec), spec);
        }
        stdout_taken = stdout_taken || here;
        console = console || strncmp(spec, "console", (size_t)(format_end - spec)) == 0;
        if (!jck_reports_add(reports, spec, here ? &there : &elsewhere, error)) {
            return false;
        }
    }
    // A run is shown on the console; from stored streams only the requested reports are made.
    bool asked = options->command->bit == JCK_COMMAND_REPORT && options->reports.count > 0;
    return console || stdout_taken || asked || jck_reports_add(reports, "console", &there, error);
}

jck_reports *jck_outputs_open(const jck_options *options, unsigned verbose, jrpc_error *error)
{
    jck_reports *reports = jck_reports_new();
    if (reports == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the reports");
        return NULL;
    }
    if (!add_all(options, verbose, reports, error)) {
        (void)jck_reports_close(reports, NULL);
        return NULL;
    }
    return reports;
}
