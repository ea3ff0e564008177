// The outcome of a command: one line for each, written when all of its calls are over.
#ifndef JRPC_DRIVER_OUTCOME_H
#define JRPC_DRIVER_OUTCOME_H

#include "reference/calls/calls.h"

struct jrpc_driver;

// One request of a command, and the members that report its outcome, such as `"result":19`; empty:
// a notification, or not over yet.
typedef struct jrpc_outcome_part {
    struct jrpc_outcome_line *line;
    jrpc_buffer members;
    size_t index;
} jrpc_outcome_part;

// A command in flight.
typedef struct jrpc_outcome_line {
    struct jrpc_driver *driver;
    struct jrpc_outcome_line *next, **link; // of the driver's list
    int64_t tag;
    bool batch;
    size_t count;
    size_t left; // parts that are not over
    jrpc_outcome_part parts[];
} jrpc_outcome_line;

// A command of `count` requests, of which `calls` wait for an answer. NULL if out of memory. It
// belongs to the driver, and is freed once it is written.
jrpc_outcome_line *jrpc_outcome_new(struct jrpc_driver *driver, int64_t tag, bool batch,
                                    size_t count, size_t calls);
// Frees it unwritten.
void jrpc_outcome_drop(jrpc_outcome_line *line);
// A jrpc_answered whose context is a jrpc_outcome_part.
void jrpc_outcome_answered(void *context, const jrpc_answer *answer);
// Writes the line if nothing is left to wait for, and frees it.
void jrpc_outcome_settle(jrpc_outcome_line *line);
// Appends the members for an answer.
void jrpc_outcome_members(jrpc_buffer *out, const jrpc_answer *answer);
// Appends `"failed":"…"`.
void jrpc_outcome_failed(jrpc_buffer *out, const char *why);

#endif
