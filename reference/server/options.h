// The command line of jrpc-reference.
#ifndef JRPC_SERVER_OPTIONS_H
#define JRPC_SERVER_OPTIONS_H

#include "reference/base/error.h"
#include "reference/server/fault.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stddef.h>

#define JRPC_LISTENERS_MAX 16
#define JRPC_ORIGINS_MAX 16

typedef enum jrpc_server_action {
    JRPC_SERVER_RUN,
    JRPC_SERVER_HELP,
    JRPC_SERVER_VERSION,
    JRPC_SERVER_LIST_FAULTS,
} jrpc_server_action;

typedef enum jrpc_listen_kind {
    JRPC_LISTEN_UNIX,
    JRPC_LISTEN_TCP,
    JRPC_LISTEN_HTTP,
    JRPC_LISTEN_WEBSOCKET,
} jrpc_listen_kind;

typedef struct jrpc_listen_at {
    jrpc_listen_kind kind;
    char host[256];   // all but Unix
    const char *port; // all but Unix, borrowed from argv
    const char *path; // Unix, borrowed from argv
} jrpc_listen_at;

typedef struct jrpc_server_options {
    jrpc_server_action action;
    bool stdio;
    const char *access_log;  // a file, "-" for standard error, or NULL
    bool v1;                 // serve JSON-RPC 1.0 too
    const jrpc_fault *habit; // of --as, or NULL
    const char *token_key;   // over HTTP: ask for tokens signed with it; or NULL
    bool sessions;           // over HTTP: give ids of sessions, and a stream of events to each
    size_t max_message;      // bytes
    unsigned max_connections, idle_s;
    unsigned delay_ms;                     // before each answer
    const char *origins[JRPC_ORIGINS_MAX]; // borrowed from argv
    size_t origin_count;
    jrpc_framing framing;
    jrpc_listen_at listeners[JRPC_LISTENERS_MAX];
    size_t listener_count;
    const jrpc_fault *faults[JRPC_FAULTS_MAX];
    size_t fault_count;
} jrpc_server_options;

// Reads the command line. False with USAGE: one sentence that names the word and the remedy.
bool jrpc_server_options_read(int argc, char *const *argv, jrpc_server_options *ret_options,
                              jrpc_error *error);
// What --help prints. Constant.
const char *jrpc_server_help(void);

#endif
