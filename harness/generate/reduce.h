// The smallest text that still shows what a text shows: members and elements left out, values made
// simpler, then bytes left out. The text may be anything, JSON or not.
#ifndef JCK_GENERATE_REDUCE_H
#define JCK_GENERATE_REDUCE_H

#include "harness/generate/minimize.h"
#include "reference/base/buffer.h"

#include <stdbool.h>

typedef jck_probe jck_try_text(void *context, jrpc_slice text);

// Makes `text` smaller while `try_text` says that what is left still shows it. At most `probes_max`
// tries. What stands in the buffer at the end was tried and shows it, or was never changed. Returns
// how many tries were made.
size_t jck_reduce(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context);
// The same by whole values and names only, so that JSON stays JSON.
size_t jck_reduce_values(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text,
                         void *context);

#endif
