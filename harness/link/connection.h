// One connection to a target, and the state that it is in.
//
//   CLOSED → OPENING → READY ⇄ ASKED          the normal course of a connection
//                      READY, ASKED → HALF    a case closed our side
//                      READY, ASKED → SPENT   a message was sent that may leave it out of step
//                      SPENT → READY          a fence proved that it did not
//   any of them → MUTE, FLOODING, ENDED       the target's doing; the case is over
//   any of them → CLOSED
#ifndef JCK_LINK_CONNECTION_H
#define JCK_LINK_CONNECTION_H

#include "harness/evidence/evidence.h"
#include "harness/link/fence.h"
#include "reference/net/peer.h"

#include <stdbool.h>

typedef enum jck_connection_state {
    JCK_CONNECTION_CLOSED,   // not open
    JCK_CONNECTION_OPENING,  // connected; the prelude or the first fence is under way
    JCK_CONNECTION_READY,    // all that was sent is accounted for
    JCK_CONNECTION_ASKED,    // the last message may still be answered
    JCK_CONNECTION_HALF,     // we send nothing more, but listen
    JCK_CONNECTION_SPENT,    // it works, but nothing proves that it is still in step
    JCK_CONNECTION_MUTE,     // open, but the proof that nothing more comes did not arrive in time
    JCK_CONNECTION_FLOODING, // the target writes more than is read
    JCK_CONNECTION_ENDED,    // the other side has closed it, or is gone
} jck_connection_state;

typedef struct jck_connection {
    jck_connection_state state;
    jrpc_peer *peer; // NULL while CLOSED
    uint64_t number; // of all connections that the link began, from 1
    bool unfinished; // MUTE: in the middle of a message that was still growing
    int64_t keep_us; // it is listened to until then, even when no longer used; 0: it is not
    int64_t
        idle_us; // … or until then, if its process has nothing to do any more; 0: it is not ours
    jck_fence_style fence;
    jck_fences fences;
    jrpc_json_document document;   // of the last message heard
    jrpc_buffer request;           // the last request that the target sent
    jrpc_buffer reply;             // our answer to it
    jrpc_buffer last;              // the last message sent, if it may have to be sent again
    jrpc_manner last_manner;       // … and how
    unsigned retries;              // how often it was sent again
    jrpc_arena header_texts;       // of the headers that use what the prelude captured
    struct jck_variable *captured; // by its prelude, or those before; NULL: nothing
    size_t replies_left;           // our answers to its requests that it did not take in time
    size_t carried;                // messages, elements of batches, and fences, sent in all
    size_t messages_since;         // messages, and elements of batches, sent since it was READY
    size_t bytes_since;            // in their text
    int64_t sending_us;            // how long sending them took
    int64_t asked_us;              // when the first of them was sent
    size_t heard_count;            // messages and noise since jck_connection_hear_anew
    size_t heard_bytes;
    int64_t heard_us; // when the last of them came
} jck_connection;

void jck_connection_init(jck_connection *connection, const jrpc_allocator *nodes);
void jck_connection_done(jck_connection *connection);

// CLOSED → OPENING: takes the peer; `number` tells the connections of a link apart.
void jck_connection_begin(jck_connection *connection, jrpc_peer *peer, uint64_t number);
// OPENING → READY.
void jck_connection_greeted(jck_connection *connection);
// READY → ASKED, after this many messages and bytes; from any other state, it stays in that state.
void jck_connection_asked(jck_connection *connection, size_t messages, size_t bytes,
                          int64_t now_us);
// ASKED → READY; likewise.
void jck_connection_settled(jck_connection *connection);
// READY, ASKED → SPENT; likewise.
void jck_connection_spend(jck_connection *connection);
// SPENT → READY: a fence was answered, and nothing else came.
void jck_connection_regain(jck_connection *connection);
// READY, ASKED, SPENT → HALF, and closes our side.
void jck_connection_half_close(jck_connection *connection);
// → MUTE, FLOODING or ENDED.
void jck_connection_fail(jck_connection *connection, jck_connection_state state);
// → CLOSED, and gives the peer away.
jrpc_peer *jck_connection_take(jck_connection *connection);
// → CLOSED. A child behind it is ended, with `grace_ms` for each stage.
void jck_connection_close(jck_connection *connection, int64_t grace_ms);

// Whether it can still be written to or read from.
bool jck_connection_is_open(const jck_connection *connection);
// Whether another case may use it.
bool jck_connection_is_in_order(const jck_connection *connection);
// Counts what came. True when it is a flood: more than JCK_FLOOD_MESSAGES, or than `most` bytes.
bool jck_connection_counts_flood(jck_connection *connection, const jrpc_received *received,
                                 size_t most);
// Begins to count anew.
void jck_connection_hear_anew(jck_connection *connection);

// What a target may write on one connection during any one case. More is a flood and is no longer
// read. (The bytes are at least twice the longest message.)
#define JCK_FLOOD_MESSAGES 10000u
#define JCK_FLOOD_BYTES ((size_t)64 << 20)

#endif
