// The words that name a target, or a whole run, as a shell reads them.
#ifndef JCK_CLI_REPRO_WORDS_H
#define JCK_CLI_REPRO_WORDS_H

#include "harness/cli/options.h"

// The options that say how to reach the target, then the target itself (operand number `at`, or
// what stands after "--"), quoted for a shell. In the options' arena; NULL when memory is out.
const char *jck_repro_words(jck_options *options, size_t at);
// What follows "jrpcheck" to repeat the run: the command, its options but those that only say what
// is shown and written, and the target (operand 0). `seed` is that of the run; it is named where
// generated inputs depend on it. In the options' arena; NULL when memory is out, and for commands
// that do not run a selection of cases.
const char *jck_command_words(jck_options *options, uint64_t seed);

#endif
