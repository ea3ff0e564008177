// Shortens long text: what matters is shown, the rest is left out.
#ifndef JCK_REPORT_CUT_H
#define JCK_REPORT_CUT_H

#include "harness/report/safe.h"

// Appends at most about `max` of the bytes: all of them, or the beginning, the part around [from,
// to), and the end, with "…" for the gaps; if the message was `true_len` bytes long and not all is
// shown, "(N bytes)" follows.
void jck_append_cut(jrpc_buffer *out, jck_safe_place place, jrpc_slice bytes, size_t true_len,
                    size_t max, size_t from, size_t to);

// Where a text differs from another one: [*ret_from, *ret_to) of `text`.
void jck_difference_of(jrpc_slice text, jrpc_slice other, size_t *ret_from, size_t *ret_to);

#endif
