// Event streams, line by line, with a maximum length.
#ifndef JCK_CLI_LINES_H
#define JCK_CLI_LINES_H

#include "reference/base/error.h"
#include "reference/base/slice.h"

#include <stdbool.h>

// Takes one line without its line feed; blank lines are skipped. False with *error stops.
typedef bool jck_take_line(void *context, jrpc_slice line, jrpc_error *error);

// Passes the lines of a stream ("-": standard input) to `take`: the first `most` of the file, 0:
// all. False with the first *error, which names the file and the line, or says that the stream is
// empty.
bool jck_lines_each(const char *path, size_t most, jck_take_line *take, void *context,
                    jrpc_error *error);
// The name of a path in errors: "standard input" for "-".
const char *jck_lines_name(const char *path);

#endif
