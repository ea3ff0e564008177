// One connection of the reference server and the server behind it: what handlers and faults see.
#ifndef JRPC_SERVER_CONNECTION_H
#define JRPC_SERVER_CONNECTION_H

#include "reference/base/arena.h"
#include "reference/base/buffer.h"
#include "reference/rpc/results.h"
#include "reference/rpc/router.h"
#include "reference/server/fixture.h"
#include "reference/wire/framing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jrpc_fault;
struct jrpc_access_log;
struct jrpc_http_sessions;

#define JRPC_FAULTS_MAX 32 // that one server can be told to commit at once

typedef struct jrpc_server {
    const jrpc_allocator *allocator;
    jrpc_router *router;
    jrpc_framing framing;
    size_t max_message; // bytes
    unsigned idle_s;    // over HTTP and WebSocket: a connection silent for so long ends; 0: none
    unsigned max_connections;   // of one listener
    unsigned delay_ms;          // before each message is handled
    const char *const *origins; // that browsers may come from; NULL: any
    const char *token_key;      // over HTTP: of the tokens that are required; NULL: none are
    size_t origin_count;
    struct jrpc_http_sessions *sessions; // over HTTP; NULL: there are none
    uint32_t max_depth;
    int stop_fd;                        // readable: every connection ends
    struct jrpc_access_log *access_log; // NULL: none
    atomic_ulong connections;           // opened so far
    atomic_int exit_status;             // of the process when it ends in order
    atomic_int lost_places;             // to connections that ended in the middle of a message
    atomic_ulong messages;              // counted by faults
    atomic_llong effects;               // of update, notify_…, signed since the start
    jrpc_hooks hooks;                   // lead to the faults
    const struct jrpc_fault *faults[JRPC_FAULTS_MAX + 2]; // first jrpc_version1 and --as, if any
    size_t fault_count;
    pthread_mutex_t lock; // of the next two
    jrpc_fixture fixture; // what the methods remember
    // Open connections, for the faults that mix them up.
    struct jrpc_connection *open;
} jrpc_server;

// What became of a message, as far as a Response tells.
typedef enum jrpc_outcome {
    JRPC_OUTCOME_PARSE_ERROR = 1 << 0,
    JRPC_OUTCOME_EMPTY_BATCH = 1 << 1,
    JRPC_OUTCOME_INVALID = 1 << 2,     // an Invalid Request
    JRPC_OUTCOME_UNKNOWN = 1 << 3,     // a method that does not exist
    JRPC_OUTCOME_BAD_PARAMS = 1 << 4,  // params that do not fit
    JRPC_OUTCOME_FAILURE = 1 << 5,     // a handler failed without a description
    JRPC_OUTCOME_APPLICATION = 1 << 6, // a handler failed with a code of its own
    JRPC_OUTCOME_SUCCESS = 1 << 7,
} jrpc_outcome;

// A Flow of the client that is being pulled, for the call of `collect` with this id.
typedef struct jrpc_collecting {
    jrpc_buffer id, flow; // spellings; no id: none is being pulled
    int64_t sum;
    unsigned pulls;
} jrpc_collecting;

typedef struct jrpc_connection {
    jrpc_server *server;
    int input, output;
    bool socket;
    const char *transport; // for the access log
    unsigned long number;  // of this connection, from 1
    bool one_answer;       // what travels back is one answer at most: there is no room for pushes
    bool events;           // over HTTP: the answer to the message at hand is a stream of events
    bool mark_due;         // … that will end with [DONE]
    bool limited;          // over HTTP: its token does not allow everything
    bool streams;     // over HTTP: the answer goes out as events wherever the client takes them
    char session[33]; // over HTTP: the id of the session that it began last
    bool answering;   // what is being sent is the answer, not a message beside it
    // Where there are no descriptors (HTTP, WebSocket): takes each outgoing message instead of the
    // framing; false once the other side takes nothing any more. NULL on streams.
    bool (*deliver)(struct jrpc_connection *connection, jrpc_slice payload);
    void *carrier;        // for `deliver`
    bool broken;          // writing failed
    bool closing;         // end orderly after this message
    bool finished;        // read no more: as if the input had ended here
    pthread_mutex_t lock; // of output and framed
    jrpc_buffer framed;
    struct jrpc_connection *next; // in server->open
    // For one message of the wire, cleared after its answer was sent:
    jrpc_arena arena;
    jrpc_buffer later;      // messages to be sent after the answer, each after its length
    bool mute;              // send no answer
    jrpc_slice replacement; // send this instead (ptr NULL: nothing to replace)
    unsigned marks;         // what a fault counts
    // For one message or batch element:
    bool found;        // its method exists
    bool fits;         // and its params fit
    bool withhold;     // give it no Response
    bool v1, v1_null;  // a request of 1.0; it said so by a null `jsonrpc`
    bool v1_fits;      // its params fit, leaving aside that 1.0 has no named ones
    jrpc_slice method; // spelling as sent, empty if there is none
    // What faults remember between messages; each is written by the faults that read it:
    jrpc_buffer last_id, last_method, seen, held;
    unsigned long calls;
    bool tainted;
    jrpc_collecting collect;
    size_t scan[4]; // where a fault's own look at the bytes stands
} jrpc_connection;

// Initializes a connection of `server` (zeroed but for what the caller has set) and makes it known
// to it. False without a lock or memory. Ended by jrpc_connection_done.
bool jrpc_connection_init(jrpc_connection *connection, jrpc_server *server);
void jrpc_connection_done(jrpc_connection *connection);
// Frames and writes one message; thread-safe; false once the other side takes nothing any more.
// Faults over outgoing bytes apply.
bool jrpc_connection_send(jrpc_connection *connection, jrpc_slice payload);
// The same past the faults over unframed messages.
bool jrpc_connection_send_plain(jrpc_connection *connection, jrpc_slice payload);
// A way for handlers to send messages that go out after the answer to the message at hand. Good
// until that is answered; one thread.
jrpc_sink jrpc_connection_sink(jrpc_connection *connection);
// Handles one message as if it had come out of the framing.
void jrpc_connection_handle(jrpc_connection *connection, jrpc_slice text);
// Whether a browser may come from there; `origin` NULL: it is not a browser.
bool jrpc_server_allows(const jrpc_server *server, const char *origin);
// Writes bytes as they are.
bool jrpc_connection_write(jrpc_connection *connection, jrpc_slice bytes);

// Serves one connection until its input ends, the server stops or writing fails: a jrpc_serve, its
// context is the jrpc_server.
void jrpc_server_serve(void *context, int input, int output);

#endif
