// The head of a Content-Length frame: header lines up to an empty one. Private to this room.
#ifndef JRPC_WIRE_HEAD_H
#define JRPC_WIRE_HEAD_H

#include "reference/base/slice.h"

#include <stdbool.h>

typedef enum jrpc_head_line {
    JRPC_HEAD_LINE_EMPTY,          // the head ends here
    JRPC_HEAD_LINE_CONTENT_LENGTH, // "Content-Length:", in any case, whatever its value
    JRPC_HEAD_LINE_OTHER,          // another header: a token and a colon
    JRPC_HEAD_LINE_NONE,           // no header
} jrpc_head_line;

// What one line is. `line` comes without its line feed, perhaps with a carriage return at its end.
jrpc_head_line jrpc_head_line_kind(jrpc_slice line);

// Reads a whole head, its empty line included, in which no line is of kind NONE. Returns NULL and
// the length, or the reason why there is none: a constant sentence. Content-Length may be said
// twice only with the same value.
const char *jrpc_head_read(jrpc_slice head, size_t *ret_length);

// Where a Content-Length header begins directly after a closing bracket: a body whose announced
// length was too short ends so. `line.len` if there is no such place.
size_t jrpc_head_behind_body(jrpc_slice line);

#endif
