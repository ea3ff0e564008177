// One call to a target before its run, to learn what is needed for planning the run.
#ifndef JCK_RUN_ASK_ONCE_H
#define JCK_RUN_ASK_ONCE_H

#include "harness/link/link.h"

typedef struct jck_ask_once {
    jck_target *target; // its profile is adopted; borrowed, like all that follows
    const jck_timing *timing;
    const jrpc_clock *clock;
    int interrupt_fd;
    uint32_t nonce;
    const char *method; // called without arguments
} jck_ask_once;

// Starts the target, opens one connection, calls the method, then closes the connection and ends
// the target. Appends the Response, a result or an error, to `out`. False with *error if there was
// none.
bool jck_ask_target(const jck_ask_once *ask, jrpc_buffer *out, jrpc_error *error);

#endif
