// Compares parsers: each disagreement is reported once, with a small text and the rule that one of
// them breaks or that leaves the choice open.
#ifndef JCK_PARSER_AGAINST_H
#define JCK_PARSER_AGAINST_H

#include "harness/run/runner.h"

// Sends the target and all options->against the texts of the selected cases, or generated texts if
// options->generates is set, until options->max_us (0: a minute) or options->texts is used up.
// Reports one case for each kind of disagreement, and at the end one that counts the texts.
void jck_parser_compare(const jck_run_options *options, jck_run_result *ret_result);

#endif
