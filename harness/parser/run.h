// A run of parser cases: the same plan, ledger and events as a run against a server.
#ifndef JCK_PARSER_RUN_H
#define JCK_PARSER_RUN_H

#include "harness/run/runner.h"

// Runs the selected cases on the parser that the target's command starts, as jck_run does. Jobs and
// discovery do not apply.
void jck_parser_run(const jck_run_options *options, jck_run_result *ret_result);

#endif
