#include "harness/cli/commands.h"

#include <string.h>

static const jck_command table[] = {
    {"run", JCK_COMMAND_RUN, "[OPTIONS] TARGET", "run the cases against a target (the default)",
     jck_cmd_run},
    {"client", JCK_COMMAND_CLIENT, "[OPTIONS] -- DRIVER",
     "run the cases for clients: act as the server, and control the client through a driver",
     jck_cmd_client},
    {"list", JCK_COMMAND_LIST, "[OPTIONS]", "print the cases, or the rules", jck_cmd_list},
    {"explain", JCK_COMMAND_EXPLAIN, "RULE|CASE", "print everything about a rule or a case",
     jck_cmd_explain},
    {"repro", JCK_COMMAND_REPRO, "[OPTIONS] CASE TARGET",
     "print the bytes of one case and a shell command that sends them, then run it", jck_cmd_repro},
    {"shrink", JCK_COMMAND_SHRINK, "[OPTIONS] CASE|RUN.ndjson TARGET",
     "find the smallest form of a failing case, or of those of a run", jck_cmd_shrink},
    {"report", JCK_COMMAND_REPORT, "FILE… --report FORMAT[=PATH]",
     "make reports from saved event streams", jck_cmd_report},
    {"compare", JCK_COMMAND_COMPARE, "[OPTIONS] TARGET TARGET…",
     "run the same cases on several targets and print where they differ", jck_cmd_compare},
    {"fuzz", JCK_COMMAND_FUZZ, "[OPTIONS] TARGET",
     "send generated messages to a target and judge every answer", jck_cmd_fuzz},
    {"parser", JCK_COMMAND_PARSER, "[OPTIONS] TARGET",
     "run the cases about JSON texts against a parser, through an adapter", jck_cmd_parser},
    {"lint", JCK_COMMAND_LINT, "[FILE|DIR]…",
     "check case files, catalogue, target files and baselines", jck_cmd_lint},
    {"bridge", JCK_COMMAND_BRIDGE, "ADDRESS",
     "for clients that start their server: connect standard input and output to the suite",
     jck_cmd_bridge},
    {"help", JCK_COMMAND_HELP, "[COMMAND]", "print the help for a command, or the manual page",
     jck_cmd_help},
    {NULL, 0, NULL, NULL, NULL},
};

const jck_command *jck_command_table(void)
{
    return table;
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
