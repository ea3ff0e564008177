// The way to a target: the command started for it, the connections open to it, and the proof that
// it answers.
//
// Every connection is greeted when it is opened: the target's prelude runs on it, then a first
// fence shows that the target answers and how its answers to fences can be told (see fence.h).
#ifndef JCK_LINK_LINK_H
#define JCK_LINK_LINK_H

#include "harness/evidence/evidence.h"
#include "harness/link/fence.h"
#include "harness/link/host.h"
#include "harness/suite/target.h"
#include "harness/suite/variables.h"
#include "reference/net/peer.h"

#include <stdbool.h>
#include <stdint.h>

#define JCK_CONNECTIONS_MAX 8 // 'a' to 'h'
// Bytes of one message that are taken where the target's description does not say.
#define JCK_RECEIVED_BYTES ((size_t)24 << 20)
// What a target may write on one connection during one case, whatever the case: above it is a
// flood, and is not listened to any more (the bytes are at least twice the longest message).
#define JCK_FLOOD_MESSAGES 10000u
#define JCK_FLOOD_BYTES ((size_t)64 << 20)

// How long things may take, in milliseconds.
typedef struct jck_timing {
    int64_t start_ms;    // from starting a target to its first answer
    int64_t reply_ms;    // until an answer, or a fence's, counts as missing
    int64_t patience_ms; // until a fence is sent behind a message whose answer has not come yet
    int64_t quiet_ms;    // a quiet window of an isolated run
    int64_t grace_ms;    // each stage of ending a child
} jck_timing;

typedef enum jck_link_status {
    JCK_LINK_OK,
    JCK_LINK_UNOPENED,    // could not be started or connected to: *error says
    JCK_LINK_MUTE,        // open, and answers nothing
    JCK_LINK_ECHOES,      // sends back what it is sent
    JCK_LINK_INTERRUPTED, // the user asked to stop
    JCK_LINK_FAULT,       // our own failure
} jck_link_status;

typedef struct jck_connection {
    jrpc_peer *peer; // NULL: not open
    jck_fence_style fence;
    jrpc_json_document document; // of the message heard last
    jrpc_buffer request;         // the target's own request heard last
    jrpc_buffer reply;           // our answer to it
    jrpc_arena header_texts;     // of the headers made of what the prelude captured
    bool deaf;                   // it takes no answers to requests of its own
    size_t heard_count;          // messages and noise since jck_link_hear_anew
    size_t heard_bytes;
    int64_t heard_us; // when the last of them came
} jck_connection;

typedef struct jck_link {
    jck_target *target; // borrowed
    jck_timing timing;
    const jrpc_clock *clock; // borrowed
    jrpc_endpoint endpoint;
    jck_host *host;      // borrowed: the --start command, shared with other links
    uint32_t generation; // of the host that the connections lead to
    bool echoes;         // it was seen to send back what it is sent
    bool floods;         // … because it writes without end
    jck_connection connections[JCK_CONNECTIONS_MAX];
    uint32_t nonce;
    uint32_t fences;      // fences sent so far: each has an id of its own
    size_t style;         // number of the style of first fence that was answered last
    bool loses_fences;    // it reads one message a read, and lost a fence right behind a message
    unsigned survived;    // closed connections in a row that the process behind them outlived
    int64_t opening_us;   // how long the last opening took
    uint64_t opened;      // connections opened so far
    jrpc_allocator nodes; // of the documents of messages
    jrpc_arena arena;     // of what the prelude captured
    jck_variables captured;
    int first_status;      // the HTTP status of a target that never answered, 0 if there is none
    char first_words[160]; // printable: the beginning of what a target wrote that never answered
} jck_link;

// What was heard on a connection.
typedef enum jck_heard_kind {
    JCK_HEARD_MESSAGE,    // a JSON text or not: `value` is ABSENT if not
    JCK_HEARD_FENCE,      // the answer to the fence that is outstanding
    JCK_HEARD_LATE_FENCE, // the answer to an earlier fence: of no interest any more
    JCK_HEARD_ECHO,       // our own fence, sent back
    JCK_HEARD_PUSH,       // the target's own notification: no answer to anything
    JCK_HEARD_REQUEST,    // the target's own request; it was answered with `reply`
    JCK_HEARD_NOISE,
    JCK_HEARD_SILENCE, // the transport proves that nothing more comes
    JCK_HEARD_END,
    JCK_HEARD_TIMEOUT,
    JCK_HEARD_FLOOD, // it writes more than any case makes a target say
    JCK_HEARD_INTERRUPT,
    JCK_HEARD_FAULT,
} jck_heard_kind;

typedef struct jck_heard {
    jck_heard_kind kind;
    jrpc_received received;
    jrpc_json value;
    jrpc_slice reply;
    bool broken; // it is no JSON (and not only too deep or too wide to be looked into)
} jck_heard;

// Initializes caller's storage; nothing is started yet. All pointers are borrowed.
void jck_link_init(jck_link *link, jck_target *target, const jck_timing *timing,
                   const jrpc_clock *clock, int interrupt_fd, uint32_t nonce, jck_host *host);
// Says good-bye on connection 'a', where it is open: the target's postlude. What comes of it is
// nothing to judge, and is waited for only briefly.
void jck_link_farewell(jck_link *link);
// Makes sure that the connection is open and greeted.
jck_link_status jck_link_open(jck_link *link, char connection, jrpc_error *error);
jck_connection *jck_link_connection(jck_link *link, char connection);
// Waits for one message on an open connection. `fence` is the number of the fence that is
// outstanding, 0 if none is. The target's own requests are answered as the target's description
// says, else with -32601. What is returned is borrowed until the next call for this connection.
jck_heard jck_link_hear(jck_link *link, char connection, uint32_t fence, int64_t deadline_us,
                        jrpc_error *error);
// Begins to count anew what a target writes, for the next case.
void jck_link_hear_anew(jck_link *link);
// Sends the next fence; *ret_serial is its number. `sent` (initialized) receives its bytes.
jrpc_peer_event jck_link_send_fence(jck_link *link, char connection, uint32_t *ret_serial,
                                    jrpc_buffer *sent, jrpc_error *error);
// Closes one connection.
void jck_link_close(jck_link *link, char connection);
// Closes all connections; a --start command goes on.
void jck_link_drop(jck_link *link);
// Closes all connections and ends the --start command that they lead to; the link can be opened
// again.
void jck_link_stop(jck_link *link);
// Closes all connections for good; the --start command goes on.
void jck_link_done(jck_link *link);
// Whether the target answers a fence on a connection of its own ('h'), which is closed again.
bool jck_link_answers_elsewhere(jck_link *link);

#endif
