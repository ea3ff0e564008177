// The arguments that name a target, or repeat a whole run, quoted for a shell.
#ifndef JCK_CLI_REPRO_WORDS_H
#define JCK_CLI_REPRO_WORDS_H

#include "harness/cli/options.h"

// The options that say how to reach the target, then the target itself (operand number `at`, or the
// command after "--"), quoted for a shell. In the options' arena; NULL if out of memory.
const char *jck_repro_words(jck_options *options, size_t at);
// What follows "jrpcheck" to repeat the run: the command, its options except those that only affect
// what is shown and written, and the target (operand 0). `seed` is that of the run; it is included
// if generated inputs depend on it. In the options' arena; NULL if out of memory, and for commands
// that do not run a selection of cases.
const char *jck_command_words(jck_options *options, uint64_t seed);

#endif
