// The smallest part of a text that still shows a finding.
#ifndef JCK_PARSER_LESSEN_H
#define JCK_PARSER_LESSEN_H

#include "harness/generate/minimize.h"
#include "reference/base/buffer.h"

// Whether a text shows it.
typedef jck_probe jck_try_text(void *context, jrpc_slice text);

// Takes a value within the text in its place, and bytes away from the text, while the rest still
// shows it, with at most `probes_max` tries. False where `try_text` wanted no more, or memory is
// out; the text is whole or smaller then, and shows it.
bool jck_lessen(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context);

#endif
