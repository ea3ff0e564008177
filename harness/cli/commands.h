// The subcommands of jrpcheck.
#ifndef JCK_CLI_COMMANDS_H
#define JCK_CLI_COMMANDS_H

#include "harness/cli/options.h"

#include <stdio.h>

typedef enum jck_command_bit {
    JCK_COMMAND_RUN = 1,
    JCK_COMMAND_LIST = 2,
    JCK_COMMAND_LINT = 4,
    JCK_COMMAND_EXPLAIN = 8,
    JCK_COMMAND_REPRO = 16,
    JCK_COMMAND_REPORT = 32,
    JCK_COMMAND_COMPARE = 64,
    JCK_COMMAND_HELP = 128,
    JCK_COMMAND_CLIENT = 256,
    JCK_COMMAND_BRIDGE = 512,
    JCK_COMMAND_SHRINK = 1024,
    JCK_COMMAND_FUZZ = 2048,
    JCK_COMMAND_PARSER = 4096,
} jck_command_bit;
#define JCK_COMMAND_ALL 8191u

typedef struct jck_command {
    const char *name;
    jck_command_bit bit;
    const char *operands; // for the usage line
    const char *summary;  // one line
} jck_command;

// All subcommands, terminated by a NULL name; the first one is the default.
const jck_command *jck_command_table(void);
const jck_command *jck_command_named(const char *name); // or NULL
// Writes `; did you mean "…"?` into the `out_size` bytes at `out` if the word is similar to a
// command, else nothing. Returns `out`.
const char *jck_command_hint(const char *word, char *out, size_t out_size);

// Runs cases against a target.
jck_exit jck_cmd_run(jck_options *options);
// Runs cases against a client, through its driver.
jck_exit jck_cmd_client(jck_options *options);
// Connects standard input and output to the suite, for clients that start their server.
jck_exit jck_cmd_bridge(jck_options *options);
// Prints cases, or with --rules the rules: one per line.
jck_exit jck_cmd_list(jck_options *options);
// Checks case files, catalogue, target files and baselines.
jck_exit jck_cmd_lint(jck_options *options);
// Prints everything known about a rule or a case.
jck_exit jck_cmd_explain(jck_options *options);
// Prints the bytes of one case, a shell line that sends them, and runs it.
jck_exit jck_cmd_repro(jck_options *options);
// Finds the smallest form that fails, of a case or of every failed case of a stream.
jck_exit jck_cmd_shrink(jck_options *options);
// Runs the cases about JSON on a parser through its adapter.
jck_exit jck_cmd_parser(jck_options *options);
// Makes reports from stored event streams.
jck_exit jck_cmd_report(jck_options *options);

// Sends a target generated messages, and judges every answer.
jck_exit jck_cmd_fuzz(jck_options *options);
// Runs the same cases on several targets and prints where they differ: exit code 1 if they do.
jck_exit jck_cmd_compare(jck_options *options);
// Prints the help of the program or of one command, the manual page, or shell completions.
jck_exit jck_cmd_help(jck_options *options);

// Writes the short usage, two lines.
void jck_print_usage(FILE *out);
// Writes the help of one subcommand, or of the whole program (NULL).
void jck_print_help(FILE *out, const jck_command *command);

#endif
