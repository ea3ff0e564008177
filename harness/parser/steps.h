// A case of several texts, sent one after the other to see how time and memory grow. Private to the
// parser room.
#ifndef JCK_PARSER_STEPS_H
#define JCK_PARSER_STEPS_H

#include "harness/parser/run_state.h"

// Sends the texts of the case until one of them fails, and reports the case. False: stop.
bool jck_parser_run_steps(jck_parser_run_state *self, const jck_case *test_case);

#endif
