// Two parsers side by side: each disagreement is told once, with a small text, and with the rule
// that one of them breaks, or that leaves it open.
#ifndef JCK_PARSER_AGAINST_H
#define JCK_PARSER_AGAINST_H

#include "harness/run/runner.h"

// Asks the target and options->against the texts of the selected cases, or generated ones where
// options->generates says so, until options->max_us (0: a minute) or options->texts is used up.
// Tells one case for each kind of disagreement, and at the end one that says how many texts there
// were.
void jck_parser_compare(const jck_run_options *options, jck_run_result *ret_result);

#endif
