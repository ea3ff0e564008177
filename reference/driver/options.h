// The command line and the environment of jrpc-reference-client.
#ifndef JRPC_DRIVER_OPTIONS_H
#define JRPC_DRIVER_OPTIONS_H

#include "reference/driver/fault.h"

#define JRPC_DRIVER_WORDS_MAX 64 // of the command that starts a server

typedef enum jrpc_driver_action {
    JRPC_DRIVER_RUN,
    JRPC_DRIVER_LIST_FAULTS,
    JRPC_DRIVER_HELP,
    JRPC_DRIVER_VERSION,
} jrpc_driver_action;

typedef struct jrpc_driver_options {
    jrpc_driver_action action;
    bool start; // --start: start the server of JRPCHECK_SERVER, and talk to it over stdio
    bool alone; // make calls by itself
    const jrpc_client_fault *faults[JRPC_CLIENT_FAULTS_MAX];
    size_t fault_count;
    jrpc_client_address address;
    char *words[JRPC_DRIVER_WORDS_MAX + 1]; // of the server, in `memory`
    jrpc_arena memory;
    jrpc_endpoint endpoint; // points into this struct
    int64_t timeout_ms;
} jrpc_driver_options;

const char *jrpc_driver_help(void);
// Reads the command line. `options` must not be moved; free with jrpc_driver_options_done. False
// with USAGE.
bool jrpc_driver_options_read(int argc, char *const *argv, jrpc_driver_options *options,
                              jrpc_error *error);
// Reads the environment: JRPCHECK_URL or JRPCHECK_SERVER, JRPCHECK_FRAMING, JRPCHECK_TIMEOUT.
bool jrpc_driver_environment_read(jrpc_driver_options *options, jrpc_error *error);
void jrpc_driver_options_done(jrpc_driver_options *options);

#endif
