// The driver: reads commands, has the client carry them out, and reports the outcome.
#ifndef JRPC_DRIVER_DRIVER_H
#define JRPC_DRIVER_DRIVER_H

#include "reference/base/arena.h"
#include "reference/client/address.h"
#include "reference/client/client.h"
#include "reference/driver/command.h"
#include "reference/driver/outcome.h"
#include "reference/wire/framing.h"

#define JRPC_CLIENT_FAULTS_MAX 16 // that one client can have at once

struct jrpc_client_fault;

// What faults remember from message to message.
typedef struct jrpc_driver_memory {
    uint64_t under_way[256]; // calls in the order in which they were made, as far as there is room
    size_t under_way_count;
    uint64_t base;    // the first of them when the current text arrived
    size_t batch_at;  // Responses of the current text so far
    size_t notified;  // notifications so far
    int64_t notify;   // the tag of the last notification
    int64_t told;     // the tag of the last call that was settled
    bool empty;       // an empty batch is being sent
    bool muted;       // nothing is read any more
    bool held_off;    // a message arrived: calls do not time out
    bool refused;     // an error with id null arrived, or an invalid answer
    jrpc_buffer kept; // a message that is held back, or the previous one
} jrpc_driver_memory;

typedef struct jrpc_driver {
    const jrpc_allocator *allocator;
    const jrpc_clock *clock;
    int input, output;
    bool alone;   // it runs its own program, and ends when that is done
    bool barrier; // … and waits until everything before an empty line of it is settled
    jrpc_endpoint endpoint;
    int64_t timeout_ms;
    jrpc_decoder decoder; // of commands
    jrpc_json_document document;
    jrpc_arena arena;         // of one command
    jrpc_client *client;      // NULL: not connected
    bool closed;              // by command: calls fail until a command connects again
    bool finished;            // no more commands
    jrpc_outcome_line *lines; // in flight
    jrpc_buffer out;          // the current line
    const struct jrpc_client_fault *faults[JRPC_CLIENT_FAULTS_MAX];
    size_t fault_count;
    jrpc_arena changes; // of faults, for one message
    jrpc_driver_memory memory;
} jrpc_driver;

// Initializes a driver whose input, output, endpoint, timeout and faults are set and the rest
// zeroed. Free with jrpc_driver_done.
void jrpc_driver_init(jrpc_driver *driver);
void jrpc_driver_done(jrpc_driver *driver);
// Reports what it can do, then carries out commands until its input ends. False if it cannot go on,
// with *error.
bool jrpc_driver_run(jrpc_driver *driver, jrpc_error *error);

// Writes one outcome: {"tag":N,MEMBERS}.
void jrpc_driver_report(jrpc_driver *driver, int64_t tag, jrpc_slice members);
// Writes one line unchanged.
void jrpc_driver_write(jrpc_driver *driver, jrpc_slice line);

#endif
