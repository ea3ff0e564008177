// The words that name a target, as a shell reads them.
#ifndef JCK_CLI_REPRO_WORDS_H
#define JCK_CLI_REPRO_WORDS_H

#include "harness/cli/options.h"

// The options that say how to reach the target, then the target itself (operand number `at`, or
// what stands after "--"), quoted for a shell. In the options' arena; NULL when memory is out.
const char *jck_repro_words(jck_options *options, size_t at);

#endif
