// The smallest text that still shows what a text shows: members and elements are removed, values
// simplified, then bytes removed. The text may be anything, JSON or not.
#ifndef JCK_GENERATE_REDUCE_H
#define JCK_GENERATE_REDUCE_H

#include "harness/generate/minimize.h"
#include "reference/base/buffer.h"

#include <stdbool.h>

typedef jck_probe jck_try_text(void *context, jrpc_slice text);

// Makes `text` smaller while `try_text` says that the rest still shows it, with at most
// `probes_max` tries. The text in the buffer at the end was tried and shows it, or is unchanged.
// Returns the number of tries.
size_t jck_reduce(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context);
// The same for whole values and names only, so that JSON stays JSON.
size_t jck_reduce_values(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text,
                         void *context);

#endif
