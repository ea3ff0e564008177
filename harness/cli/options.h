// The command line: one table of options, from which parsing, help and everything else that names
// options is made.
#ifndef JCK_CLI_OPTIONS_H
#define JCK_CLI_OPTIONS_H

#include "harness/cli/exit.h"
#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/net/transport.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A list of arguments, borrowed from argv.
typedef struct jck_words {
    const char **items;
    size_t count;
} jck_words;

typedef enum jck_color {
    JCK_COLOR_AUTO,
    JCK_COLOR_ALWAYS,
    JCK_COLOR_NEVER,
} jck_color;

struct jck_command;

// The parsed command line. Strings are borrowed from argv, lists owned by the arena.
typedef struct jck_options {
    jrpc_arena arena;
    const struct jck_command *command;
    jck_words suites, only, skip;
    jck_words methods, headers, header_files, environment;
    jck_words reports;
    jck_words after;       // cases to run before the named one
    jck_words operands;    // arguments that are not options: a target, files, names
    char *const *behind;   // the arguments after "--", NULL-terminated; NULL without "--"
    jck_words target_said; // the options that say how to reach and judge the target, as given
    jck_words run_said;    // those, and the ones that say what is run and how
    const char *profile, *prelude, *start, *ca_file, *cert_file, *key_file, *proxy, *directory;
    const char *baseline, *reason, *transcript, *since, *only_failed;
    const char *cases, *faults, *project, *save;
    const char *jwt_secret;
    const char *openrpc; // a file, or "discover"
    bool framing_given;
    jrpc_framing framing;
    bool transport_given; // of a client
    jrpc_transport transport;
    bool undriven;     // a client that runs by itself
    jck_words answers; // … and the responses to its calls
    jck_color color;
    bool strict, fail_fast, no_discover, update_baseline;
    unsigned verbose;      // how often it was given
    unsigned max_examples; // per broken rule on the console
    bool max_examples_given;
    bool plan, quiet, rules, json, insecure, links;
    bool fuzz_parser;
    jck_words against; // parsers to compare with; so are further operands
    unsigned texts;    // number of texts to fuzz a parser with; 0: not given
    bool each;         // a parser that is started once for each text
    bool help, version, man, complete;
    bool shuffle;
    uint64_t seed;                                             // of --shuffle and --seed
    unsigned timeout_ms, start_timeout_ms, memory_mb, slowest; // 0: not given
    unsigned rate;                                             // messages per second, 0: not given
    unsigned jobs, repeat;                                     // jobs 0: as many as are useful
    unsigned max_seconds;                                      // for the whole run; 0: no bound
    unsigned shard_index, shard_count;
    // For live fuzzing.
    bool seeded; // `seed` was given
    unsigned fuzz_seconds;
    unsigned messages; // 0: no bound
    const char *corpus, *may_fuzz;
} jck_options;

// The subcommands that an option belongs to, one bit each; see commands.h.
typedef unsigned jck_commands;

// What an option affects: decides which lines that repeat a run or a case include it.
typedef enum jck_shapes {
    JCK_SHAPES_OUTPUT, // what is shown and written: never repeated
    JCK_SHAPES_RUN,    // what is run and how: included in the line that repeats the run
    JCK_SHAPES_TARGET, // how the target is reached or judged: also included in the line that
                       // repeats a case
} jck_shapes;

typedef struct jck_option {
    const char *name;      // without dashes
    char letter;           // the short form, '\0' if there is none
    const char *value;     // name of the value in the help; NULL: takes none
    jck_commands commands; // that accept it
    const char *help;      // one line
    // Takes the value (NULL if `value` is NULL). False with USAGE: what is invalid, and the remedy.
    bool (*take)(const struct jck_option *option, jck_options *options, const char *value,
                 jrpc_error *error);
    size_t member; // of jck_options, by offsetof, for functions that store one value
    unsigned least, most;
    jck_shapes shapes;
} jck_option;

// All options, in the order of the help; terminated by a NULL name.
const jck_option *jck_option_table(void);
const jck_option *jck_option_named(jrpc_slice name); // without dashes; NULL if there is none

// Reads a command line. The first argument may name the subcommand, else it is `run`. False with
// USAGE: one sentence that names the argument and the remedy (for an unknown option, the nearest
// one). The options are initialized by this call and must be freed with jck_options_done, also
// after a failure.
bool jck_options_read(jck_options *options, int argc, char *const *argv, jrpc_error *error);
void jck_options_done(jck_options *options);

#endif
