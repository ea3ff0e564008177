// Event streams, line by line, with a bound.
#ifndef JCK_CLI_LINES_H
#define JCK_CLI_LINES_H

#include "reference/base/error.h"
#include "reference/base/slice.h"

#include <stdbool.h>

// Takes one line without its line feed; blank ones are not shown. False with *error ends it.
typedef bool jck_take_line(void *context, jrpc_slice line, jrpc_error *error);

// Hands the lines of a stream ("-": standard input) to `take`: the first `most` of the file, 0:
// all. False with the first *error, which says the file and the line, or that the stream is empty.
bool jck_lines_each(const char *path, size_t most, jck_take_line *take, void *context,
                    jrpc_error *error);
// What a path is called in errors: "standard input" for "-".
const char *jck_lines_name(const char *path);

#endif
