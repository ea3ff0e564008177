// A client under test: its driver, and the listener that it connects to. The counterpart of `link`,
// which is for servers.
#ifndef JCK_DRIVE_CLIENT_H
#define JCK_DRIVE_CLIENT_H

#include "harness/drive/driver.h"
#include "harness/drive/reception.h"

#include <poll.h>

typedef struct jck_client_options {
    const jck_target *target; // whose command starts the driver; borrowed, like all that follows
    const jrpc_clock *clock;
    int interrupt_fd;
    const char *self; // the program that bridges stdio to the suite: this one
    int64_t start_ms; // from starting the driver to its first line
    int64_t call_ms;  // the timeout for calls
    int64_t brief_ms; // … in cases in which it is to expire
    int64_t grace_ms; // for each stage of ending the driver
    // How to wait for descriptors; NULL: jrpc_descriptor_poll, whose contract it has.
    int (*poll)(struct pollfd *entries, size_t count, const jrpc_clock *clock, int64_t deadline_us);
    bool undriven; // it runs by itself, without commands
    // The responses to its calls then: METHOD=JSON; NULL-terminated, or NULL.
    const char *const *answers;
} jck_client_options;

typedef struct jck_client {
    jck_client_options options;
    jck_client_driver driver;
    jck_reception reception;
    bool listening;
    bool connected;     // the driver was commanded to connect, and not to close since
    int64_t timeout_ms; // the timeout given to the driver
    uint64_t starts;    // of the driver, so far
    jck_caller talks;   // an undriven client that talks over its own standard input and output
    bool one_at_a_time; // it was seen to delay a call until the previous one had ended
    bool ever_heard;    // something was received in this run
} jck_client;

typedef enum jck_client_status {
    JCK_CLIENT_OK,
    JCK_CLIENT_UNOPENED,    // the driver could not be started, or does not follow the protocol:
                            // *error
    JCK_CLIENT_INTERRUPTED, // the user asked to stop
    JCK_CLIENT_FAULT,       // our own failure: *error
} jck_client_status;

void jck_client_init(jck_client *client, const jck_client_options *options);
void jck_client_done(jck_client *client);
// Makes sure that a driver with this timeout for calls is running.
jck_client_status jck_client_open(jck_client *client, int64_t timeout_ms, jrpc_error *error);
// The environment for starting a process of the client: where it must connect, and how. In `arena`;
// NULL if out of memory.
const char *const *jck_client_environment(const jck_client *client, int64_t timeout_ms,
                                          jrpc_arena *arena);
// Ends the driver and all connections; jck_client_open starts it again.
void jck_client_stop(jck_client *client);
// How long a call may take before it counts as lost.
int64_t jck_client_patience_ms(const jck_client *client);

#endif
