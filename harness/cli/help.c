// Usage and help, made from the tables.
#include "harness/cli/commands.h"
#include "harness/report/report.h"

#include <ctype.h>

void jck_print_usage(FILE *out)
{
    (void)fputs("usage: jrpcheck [OPTIONS] TARGET\n"
                "       jrpcheck -- ./my-server ARGS     (jrpcheck --help shows more)\n",
                out);
}

static void print_option(FILE *out, const jck_option *option)
{
    char left[48];
    const char letter[] = {'-', option->letter, ',', ' ', '\0'};
    (void)snprintf(left, sizeof left, "%s--%s%s%s", option->letter == '\0' ? "" : letter,
                   option->name, option->value == NULL ? "" : " ",
                   option->value == NULL ? "" : option->value);
    (void)fprintf(out, "  %-24s %s\n", left, option->help);
}

static void print_options(FILE *out, jck_commands commands)
{
    (void)fputs("\nOptions:\n", out);
    for (const jck_option *option = jck_option_table(); option->name != NULL; option++) {
        if ((option->commands & commands) != 0) {
            print_option(out, option);
        }
    }
}

static void print_formats(FILE *out)
{
    (void)fputs("\nReport formats:\n", out);
    for (const jck_report_format *const *format = jck_report_formats(); *format != NULL; format++) {
        (void)fprintf(out, "  %-24s %s\n", (*format)->name, (*format)->summary);
    }
}

static void print_targets(FILE *out)
{
    (void)fputs("\nTargets:\n"
                "  -- CMD ARGS…             a server on stdin and stdout\n"
                "  tcp://HOST:PORT          a server on a socket\n"
                "  unix:PATH                a server on a Unix socket\n"
                "  http(s)://HOST/PATH      a server behind HTTP\n"
                "  ws(s)://HOST/PATH        a server behind WebSocket\n"
                "  FILE.json                a description (see targets/README.md)\n"
                "  NAME                     a description in targets/\n",
                out);
}

static void print_exit_codes(FILE *out)
{
    (void)fputs("\nExit codes:\n", out);
    for (const jck_exit_meaning *code = jck_exit_table(); code->meaning != NULL; code++) {
        (void)fprintf(out, "  %-24d %s\n", (int)code->code, code->meaning);
    }
}

void jck_print_help(FILE *out, const jck_command *command)
{
    if (command != NULL) {
        (void)fprintf(out, "usage: jrpcheck %s %s\n\n%c%s.\n", command->name, command->operands,
                      toupper((unsigned char)command->summary[0]), command->summary + 1);
        if ((command->bit & (JCK_COMMAND_RUN | JCK_COMMAND_REPRO | JCK_COMMAND_SHRINK)) != 0) {
            print_targets(out);
        }
        print_options(out, command->bit);
    } else {
        (void)fputs("usage: jrpcheck [run] [OPTIONS] TARGET\n", out);
        for (const jck_command *other = jck_command_table() + 1; other->name != NULL; other++) {
            (void)fprintf(out, "       jrpcheck %s %s\n", other->name, other->operands);
        }
        (void)fputs("\nChecks whether a JSON-RPC 2.0 server follows the specification.\n"
                    "\nCommands:\n",
                    out);
        for (const jck_command *other = jck_command_table(); other->name != NULL; other++) {
            (void)fprintf(out, "  %-24s %s\n", other->name, other->summary);
        }
        print_targets(out);
        print_options(out, JCK_COMMAND_ALL);
    }
    if (command == NULL || (command->bit & (JCK_COMMAND_RUN | JCK_COMMAND_REPORT)) != 0) {
        print_formats(out);
    }
    if (command == NULL || command->bit == JCK_COMMAND_RUN) {
        print_exit_codes(out);
    }
}
