// The driver: takes commands, has the client carry them out, and tells what became of them.
#ifndef JRPC_DRIVER_DRIVER_H
#define JRPC_DRIVER_DRIVER_H

#include "reference/base/arena.h"
#include "reference/client/address.h"
#include "reference/client/client.h"
#include "reference/driver/command.h"
#include "reference/driver/outcome.h"
#include "reference/wire/framing.h"

#define JRPC_CLIENT_FAULTS_MAX 16 // that one client can be told to commit at once

struct jrpc_client_fault;

// What faults remember between messages.
typedef struct jrpc_driver_memory {
    uint64_t under_way[256]; // calls in the order in which they were made, as far as there is room
    size_t under_way_count;
    uint64_t base;    // the first of them when the text at hand came
    size_t batch_at;  // Responses of the text at hand so far
    size_t notified;  // notifications so far
    int64_t notify;   // the tag of the last notification
    int64_t told;     // the tag of the last call that was settled
    bool empty;       // a batch of nothing is on its way
    bool muted;       // nothing is read any more
    bool held_off;    // a message came: calls do not time out
    bool refused;     // an error with id null came, or an answer that is none
    jrpc_buffer kept; // a message that is held back, or that came before
} jrpc_driver_memory;

typedef struct jrpc_driver {
    const jrpc_allocator *allocator;
    const jrpc_clock *clock;
    int input, output;
    bool alone;   // it takes the commands of its own program, and ends when they are carried out
    bool barrier; // … and waits until all before an empty line of it are settled
    jrpc_endpoint endpoint;
    int64_t timeout_ms;
    jrpc_decoder decoder; // of commands
    jrpc_json_document document;
    jrpc_arena arena;         // of one command
    jrpc_client *client;      // NULL: not connected
    bool closed;              // by command: calls fail until it is told to connect
    bool finished;            // no more commands
    jrpc_outcome_line *lines; // under way
    jrpc_buffer out;          // the line at hand
    const struct jrpc_client_fault *faults[JRPC_CLIENT_FAULTS_MAX];
    size_t fault_count;
    jrpc_arena changes; // of faults, for one message
    jrpc_driver_memory memory;
} jrpc_driver;

// Initializes a driver whose input, output, endpoint, timeout and faults are set; the rest is
// zeroed. Ended by jrpc_driver_done.
void jrpc_driver_init(jrpc_driver *driver);
void jrpc_driver_done(jrpc_driver *driver);
// Says what it can do, then carries out commands until its input ends. False when it cannot go on:
// *error says.
bool jrpc_driver_run(jrpc_driver *driver, jrpc_error *error);

// Writes one outcome: {"tag":N,MEMBERS}.
void jrpc_driver_report(jrpc_driver *driver, int64_t tag, jrpc_slice members);
// Writes one line as it is.
void jrpc_driver_write(jrpc_driver *driver, jrpc_slice line);

#endif
