// The access log of jrpc-reference: one JSON object a line for each call or notification, each
// member of a batch for itself.
//
//   {"time":"2026-01-01T00:00:00Z","transport":"http","connection":3,"method":"sum","id":1,
//    "request":"…","response":"…","latency_us":85}
//
// `method` and `id` are left out where the message has none, `response` is null where nothing was
// owed. Requests and responses are the exact texts, as JSON strings; what is not UTF-8 in them is
// replaced. `latency_us` is the time of the whole message. A line ends with "lost":true where its
// answer could not be written, because the client was gone.
#ifndef JRPC_SERVER_ACCESS_LOG_H
#define JRPC_SERVER_ACCESS_LOG_H

#include "reference/base/error.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jrpc_access_log jrpc_access_log;

// What the lines of one message of the wire have in common.
typedef struct jrpc_access {
    const char *transport;
    unsigned long connection;
    int64_t latency_us;
    bool lost; // its answer could not be written
} jrpc_access;

// Opens (appends to) a file; "-" is standard error. NULL with SYSTEM or MEMORY. Owned.
jrpc_access_log *jrpc_access_log_open(const char *path, jrpc_error *error);
// Writes what one message of the wire was and got; `answer` is empty where it got nothing.
// Thread-safe; a line is written whole.
void jrpc_access_log_write(jrpc_access_log *log, const jrpc_access *access, jrpc_slice message,
                           jrpc_slice answer);
void jrpc_access_log_close(jrpc_access_log *log); // accepts NULL

#endif
