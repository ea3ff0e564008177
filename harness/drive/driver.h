// The driver of a client under test: a program that uses the client library, gets commands as JSON
// objects, one per line, and reports their outcome (docs/testing-a-client.md).
#ifndef JCK_DRIVE_DRIVER_H
#define JCK_DRIVE_DRIVER_H

#include "harness/suite/target.h"
#include "reference/net/peer.h"

// What a driver may announce in its first line.
typedef enum jck_can {
    JCK_CAN_CALL,
    JCK_CAN_NOTIFY,
    JCK_CAN_BATCH,
    JCK_CAN_BY_NAME,
    JCK_CAN_CONCURRENT, // several calls in flight at once
    JCK_CAN_CONNECT,
    JCK_CAN_CLOSE,
    JCK_CAN_REPORTS,   // it reports what the server sends unasked
    JCK_CAN_RESOURCES, // it builds Requests of RO-JRPC, and routes those that the server sends
} jck_can;
#define JCK_CAN_COUNT (JCK_CAN_RESOURCES + 1)

const char *jck_can_word(jck_can can);

typedef struct jck_client_driver {
    jrpc_peer *peer;  // NULL: not started
    jrpc_arena arena; // of its first line
    bool can[JCK_CAN_COUNT];
    bool keeps_timeout; // its calls have the timeout that it was given
    jrpc_slice name, version;
    int64_t tag; // of the last command
} jck_client_driver;

void jck_client_driver_init(jck_client_driver *driver);
// Starts the command of the endpoint, a child that reads and writes lines, and reads its first
// line. False, with nothing running, with SYSTEM, TIMEOUT, CLOSED, INVALID (the message quotes the
// line) or INTERRUPTED.
bool jck_client_driver_start(jck_client_driver *driver, const jrpc_endpoint *endpoint,
                             int64_t deadline_us, jrpc_error *error);
// Starts it without waiting for a first line: a client that runs by itself.
bool jck_client_driver_open(jck_client_driver *driver, const jrpc_endpoint *endpoint,
                            int64_t deadline_us, jrpc_error *error);
// Ends it, with `grace_ms` for each stage; it can be started again.
void jck_client_driver_stop(jck_client_driver *driver, int64_t grace_ms);

#endif
