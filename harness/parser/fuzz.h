// Fuzzing a parser: generated texts, judged by the bundled reader; each kind of finding is reported
// once, with the smallest text that shows it.
#ifndef JCK_PARSER_FUZZ_H
#define JCK_PARSER_FUZZ_H

#include "harness/run/runner.h"

// Sends texts until options->max_us (0: a minute) or options->texts is used up. They are made from
// the texts of the selected cases, mutated and respelled; the same seed gives the same texts.
// Reports one case for each kind of finding, and at the end one that gives the number of texts.
void jck_parser_fuzz(const jck_run_options *options, jck_run_result *ret_result);

#endif
