#include "harness/cli/commands.h"

#include "harness/suite/nearest.h"

#include <string.h>

// A word with more typing errors than this is not treated as a mistyped command.
#define FAR 2

static const jck_command table[] = {
    {"run", JCK_COMMAND_RUN, "[OPTIONS] TARGET", "run the cases against a target (the default)"},
    {"client", JCK_COMMAND_CLIENT, "[OPTIONS] -- DRIVER",
     "run the cases for clients: act as the server, and control the client through a driver"},
    {"list", JCK_COMMAND_LIST, "[OPTIONS]", "print the cases, or the rules"},
    {"explain", JCK_COMMAND_EXPLAIN, "RULE|CASE", "print everything about a rule or a case"},
    {"repro", JCK_COMMAND_REPRO, "[OPTIONS] CASE TARGET",
     "print the bytes of one case and a shell command that sends them, then run it"},
    {"shrink", JCK_COMMAND_SHRINK, "[OPTIONS] CASE|RUN.ndjson TARGET",
     "find the smallest form of a failing case, or of those of a run"},
    {"report", JCK_COMMAND_REPORT, "FILE… --report FORMAT[=PATH]",
     "make reports from saved event streams"},
    {"compare", JCK_COMMAND_COMPARE, "[OPTIONS] TARGET TARGET…",
     "run the same cases on several targets and print where they differ"},
    {"fuzz", JCK_COMMAND_FUZZ, "[OPTIONS] TARGET",
     "send generated messages to a target and judge every answer"},
    {"parser", JCK_COMMAND_PARSER, "[OPTIONS] TARGET",
     "run the cases about JSON texts against a parser, through an adapter"},
    {"lint", JCK_COMMAND_LINT, "[FILE|DIR]…",
     "check case files, catalogue, target files and baselines"},
    {"bridge", JCK_COMMAND_BRIDGE, "ADDRESS",
     "for clients that start their server: connect standard input and output to the suite"},
    {"help", JCK_COMMAND_HELP, "[COMMAND]", "print the help for a command, or the manual page"},
    {NULL, 0, NULL, NULL},
};

const jck_command *jck_command_table(void)
{
    return table;
}

const char *jck_command_hint(const char *word, char *out, size_t out_size)
{
    jck_nearest nearest;
    jck_nearest_init(&nearest, jrpc_slice_str(word));
    for (const jck_command *command = table; command->name != NULL; command++) {
        jck_nearest_offer(&nearest, jrpc_slice_str(command->name));
    }
    out[0] = '\0';
    return nearest.distance / 2 > FAR ? out : jck_nearest_hint(&nearest, out, out_size);
}

const jck_command *jck_command_named(const char *name)
{
    for (const jck_command *command = table; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}
