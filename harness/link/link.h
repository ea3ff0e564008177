// The way to a target: the command started for it, the connections open to it, and what was learned
// of it on the way.
//
// A connection is opened in one line (open.h): start, connect, prelude, first fence. What is sent
// and heard on it is in hear.h; how it is proved that nothing more comes, in synchronise.h.
#ifndef JCK_LINK_LINK_H
#define JCK_LINK_LINK_H

#include "harness/link/connection.h"
#include "harness/link/host.h"
#include "harness/link/kept.h"
#include "harness/link/spent.h"
#include "harness/suite/target.h"
#include "harness/suite/variables.h"

#include <stdbool.h>
#include <stdint.h>

#define JCK_CONNECTIONS_MAX 8 // 'a' to 'h'
// Bytes of one message that are taken where the target's description does not say.
#define JCK_RECEIVED_BYTES ((size_t)24 << 20)

// How long things may take, in milliseconds.
typedef struct jck_timing {
    int64_t start_ms;    // from starting a target to its first answer
    int64_t reply_ms;    // until an answer, or a fence's, counts as missing
    int64_t patience_ms; // until a fence is sent after a message whose answer has not come yet
    int64_t quiet_ms;    // a quiet window of an isolated run
    int64_t grace_ms;    // each stage of ending a child
    int64_t interval_us; // at least, between two messages of a link; 0: none
    int64_t listen_ms;   // a connection that went mute is listened to from the side until so long
                         // after it was asked; 0: it is closed
} jck_timing;

typedef enum jck_link_status {
    JCK_LINK_OK,
    JCK_LINK_UNOPENED,    // could not be started or connected to: *error says
    JCK_LINK_MUTE,        // open, and answers nothing
    JCK_LINK_FLOODS,      // writes without end, and answers nothing
    JCK_LINK_ECHOES,      // sends back what it is sent
    JCK_LINK_INTERRUPTED, // the user asked to stop
    JCK_LINK_FAULT,       // our own failure
} jck_link_status;

// How many messages a connection of the target carries.
typedef enum jck_connection_use {
    JCK_USE_UNKNOWN,
    JCK_USE_MANY,
    JCK_USE_ONE, // the target closes it after its first answer
} jck_connection_use;

// What was seen of how long long messages take to be read.
typedef struct jck_reading {
    unsigned answers;   // to long messages
    int64_t us_per_mib; // of the slowest of them
} jck_reading;

// What a link has learned of its target; it holds for all connections.
typedef struct jck_habits {
    size_t fence_style;      // number of the style of first fence that was answered last
    bool fence_number;       // ids of fences are numbers, as it changes those that are Strings
    bool fence_by_form;      // no style is answered with its id
    bool params_known;       // whether it refuses calls without params has been asked
    unsigned knocked;        // fences in a row that were answered when a second one came
    int64_t fence_apart_ms;  // so long after a message a fence must come not to be lost
    jck_connection_use use;  // how many messages a connection carries
    int64_t starts_us;       // the longest from starting it to its first answer
    unsigned outlived;       // connections in a row that closed while the process lived on
    int64_t us_per_message;  // the longest that it took for each message of a synchronisation
    int64_t many_us;         // what it took for many messages at once, in all
    int64_t many_messages;   // … and how many those were
    unsigned overtaken;      // long messages that a later fence overtook
    unsigned waited_in_vain; // … and those that were not
    unsigned looked_in_vain; // … the first looks among them, which are short, included
    unsigned in_order;       // long messages that were answered before it
    jck_reading reading;     // of long messages
    int64_t interval_us;     // between two messages: what it asked for by HTTP 429, or by refusing
                             // fences that come too fast
    int64_t fence_code;      // of the error that answers a fence; 0: none was seen
    unsigned fences_refused; // that another error answered, with a code of the server's own
} jck_habits;

// What the last opening of a connection brought, whatever became of it.
typedef struct jck_opening {
    jck_link_status status;
    int64_t took_us;
    bool connected;         // there was somebody to speak to
    int http_status;        // of an answer that was none, 0 if there is none
    bool unended;           // an answer over HTTP began, and did not end in time
    bool streams;           // … as a stream of events
    char challenge[200];    // printable: which credentials it asked for (WWW-Authenticate), or ""
    bool wrong_id;          // a Response came with another id than the fence's
    jck_fence_style formed; // by_form: learned from a Response without the fence's id
    size_t formed_index;    // … which was in this style
    int64_t code;           // of the error that answered the last fence; 0: none
    char words[160];     // printable: the beginning of what was written first and answers nothing
    jck_evidence record; // all that was sent and heard
} jck_opening;

typedef struct jck_link {
    jck_target *target; // borrowed
    jck_timing timing;
    const jrpc_clock *clock; // borrowed
    jrpc_endpoint endpoint;
    jck_host *host;      // borrowed: the --start command, shared with other links
    uint32_t generation; // of the host that the connections lead to
    jck_connection connections[JCK_CONNECTIONS_MAX];
    uint32_t nonce;
    jrpc_random random; // of the ids of fences: not to be guessed
    jck_habits habits;
    jck_opening opening;
    bool bare;            // connections are opened without prelude and fence
    jck_credential shown; // in the handshake of the connection that is being opened
    jrpc_json requests;   // of the case: which answers the target's own requests get, in turn
    uint32_t replied;     // … so many of which were given
    uint64_t begun;       // connections so far
    uint64_t opened;      // … of which the first fence was answered
    uint64_t mute;        // the connection that went mute last, and is listened to; 0: none
    jck_kept kept;        // those that are listened to from the side
    jck_spent spent;      // what its time went into
    bool refused;         // a fence of this case was refused, as for coming too fast
    size_t deferred;      // messages that the target asked us to send later
    int64_t sent_us;      // when the last message went out
    jrpc_allocator nodes; // of the documents of messages
    jrpc_arena arena;     // of what the prelude captured
    jrpc_arena record;    // of the opening's
    jck_variables captured;
} jck_link;

// Initializes caller's storage; nothing is started yet. All pointers are borrowed.
void jck_link_init(jck_link *link, jck_target *target, const jck_timing *timing,
                   const jrpc_clock *clock, int interrupt_fd, uint32_t nonce, jck_host *host);
jck_connection *jck_link_connection(jck_link *link, char connection);
// Closes one connection. One that is to be listened to is put aside instead, if there is room.
void jck_link_close(jck_link *link, char connection);
// Listens to a connection that was put aside, until `until_us` if its own time is not over
// earlier: see jck_kept_look.
jck_kept_state jck_link_look_aside(jck_link *link, uint64_t number, int64_t until_us,
                                   int64_t deadline_us);
// Closes one of those that were put aside; 0: none.
void jck_link_forget(jck_link *link, uint64_t number);
// Closes all of them.
void jck_link_drop_aside(jck_link *link);
// Closes all connections; a --start command goes on.
void jck_link_drop(jck_link *link);
// Closes all connections and ends the --start command that they lead to; the link can be opened
// again.
void jck_link_stop(jck_link *link);
// Closes all connections for good; the --start command goes on.
void jck_link_done(jck_link *link);
// Closes the connections that the next case is not to use: those that have had the one message that
// the target takes on each, and those that the target has closed while nothing was under way.
void jck_link_leave_used(jck_link *link);
// The id of the process behind connection 'a', if we started it; else 0.
int64_t jck_link_process(jck_link *link);
// Whether the target takes one message a connection, so that each is an exchange of its own: by its
// transport, or because it closes the connection after its answer.
bool jck_link_exchanges(const jck_link *link);

#endif
