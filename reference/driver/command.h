// A command to the driver: one line of JSON.
#ifndef JRPC_DRIVER_COMMAND_H
#define JRPC_DRIVER_COMMAND_H

#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/json/value.h"
#include "reference/rpc/build.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jrpc_command_kind {
    JRPC_COMMAND_CONNECT,
    JRPC_COMMAND_CALL,
    JRPC_COMMAND_NOTIFY,
    JRPC_COMMAND_BATCH,
    JRPC_COMMAND_PING,
    JRPC_COMMAND_CLOSE,
} jrpc_command_kind;

typedef struct jrpc_commanded_request {
    jrpc_slice method; // content
    jrpc_slice params; // spelling, empty: none
    bool notification;
    bool structured; // RO-JRPC: `parts` has resource and verb, and there is no method
    jrpc_request_parts parts;
} jrpc_commanded_request;

typedef struct jrpc_command {
    jrpc_command_kind kind;
    int64_t tag;
    jrpc_commanded_request *requests; // of call, notify and batch
    size_t count;
} jrpc_command;

// Reads a command; everything is borrowed from `line`, `document` or `arena`. False with INVALID (a
// sentence) or MEMORY; *ret_tagged says whether ret_command->tag could be read nevertheless.
bool jrpc_command_read(jrpc_slice line, jrpc_json_document *document, jrpc_arena *arena,
                       jrpc_command *ret_command, bool *ret_tagged, jrpc_error *error);

#endif
