// What a target writes to its standard error, as feedback: a message is worth keeping if a new kind
// of line follows it. Lines that differ only in digits and quoted parts are of one kind.
#ifndef JCK_LIVE_LINES_H
#define JCK_LIVE_LINES_H

#include "reference/base/buffer.h"

#include <stdbool.h>
#include <stdint.h>

// The part of `now` that is new. Both are the last bytes that were written, `before` at an earlier
// time. Of a long text only the end is kept, so its first line may be cut. All of this is pure.
jrpc_slice jck_lines_new(jrpc_slice before, jrpc_slice now);
// Cuts the next line off from *text, without its line feed. Unlike jrpc_slice_take_line, it leaves
// a last line without a line feed, because the target may still be writing it. False if no other
// line is left.
bool jck_lines_next(jrpc_slice *text, jrpc_slice *ret_line);
// The kind of a line. Never 0.
uint64_t jck_lines_kind(jrpc_slice line);
// Whether a whole line of this kind is in the text.
bool jck_lines_has(jrpc_slice text, uint64_t kind);

#endif
