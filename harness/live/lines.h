// What a target writes to its standard error, as feedback: messages after which it writes a kind of
// line that it never wrote before are worth keeping. Lines that differ only in digits and quoted
// parts are of one kind.
#ifndef JCK_LIVE_LINES_H
#define JCK_LIVE_LINES_H

#include "reference/base/buffer.h"

#include <stdbool.h>
#include <stdint.h>

// The part of `now` that is new. Both are the ends of what was written, `before` the earlier one:
// of a long text only the end is there, so its first line may be cut. Pure, like what follows.
jrpc_slice jck_lines_new(jrpc_slice before, jrpc_slice now);
// Takes the next whole line of a text, without its end. False after the last one.
bool jck_lines_next(jrpc_slice *text, jrpc_slice *ret_line);
// The kind of a line. Never 0.
uint64_t jck_lines_kind(jrpc_slice line);
// Whether a whole line of this kind is in the text.
bool jck_lines_has(jrpc_slice text, uint64_t kind);

#endif
