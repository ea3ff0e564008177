// The smallest part of a text that still shows a finding.
#ifndef JCK_PARSER_LESSEN_H
#define JCK_PARSER_LESSEN_H

#include "harness/generate/reduce.h"

// Reduces the text (jck_reduce) with at most `probes_max` tries. False if `try_text` asked to stop;
// the text, reduced or not, still shows the finding then.
bool jck_lessen(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context);

#endif
