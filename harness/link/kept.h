// Connections that are listened to from the side, until a time is over.
//
// Only waiting proves that nothing comes, but the run goes on meanwhile: a connection that went
// mute is put aside with its process, and later messages go to another one. A connection in order
// may be listened to while it is used; it is put aside when it would be closed.
#ifndef JCK_LINK_KEPT_H
#define JCK_LINK_KEPT_H

#include "reference/base/clock.h"
#include "reference/net/peer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// At most this many: each may be a process that is busy without end.
#define JCK_KEPT_MAX 3

typedef enum jck_kept_state {
    JCK_KEPT_LISTENS, // its time is not over, and nothing has come
    JCK_KEPT_QUIET,   // its time is over, and nothing came
    JCK_KEPT_SPOKE,   // something came
    JCK_KEPT_ENDED,   // the other side closed it, and said nothing
    JCK_KEPT_LOST,    // it was closed before its time: there was no room
} jck_kept_state;

typedef struct jck_kept_peer {
    jrpc_peer *peer; // NULL: a free place
    uint64_t number; // of the connection, from 1
    int64_t until_us;
} jck_kept_peer;

// At most this many children may be ending at once.
#define JCK_LEAVING_MAX 2

// What a link has put aside.
typedef struct jck_kept {
    jck_kept_peer peers[JCK_KEPT_MAX];
    jrpc_peer *leaving[JCK_LEAVING_MAX]; // the one that was let go first comes first; NULL: none
} jck_kept;

// Takes the peer of a connection and listens to it until a time; false, and nothing is taken, if
// there is no room.
bool jck_kept_put(jck_kept *kept, jrpc_peer *peer, uint64_t number, int64_t until_us);
// The state of the connection with a number, as soon as that is not LISTENS, at `deadline_us` at
// the latest. A connection that spoke or ended, or whose time is over, is closed, with `grace_ms`
// for each stage of ending a child; from then on it is LOST, like one that was never there.
jck_kept_state jck_kept_look(jck_kept *kept, uint64_t number, const jrpc_clock *clock,
                             int64_t deadline_us, int64_t grace_ms);
// Lets the child behind a connection leave by itself (takes the peer): its input ends, and nobody
// waits for it until others are to leave.
void jck_kept_dismiss(jck_kept *kept, jrpc_peer *peer, int64_t grace_ms);
// Closes the one with a number, if it is there.
void jck_kept_close(jck_kept *kept, uint64_t number, int64_t grace_ms);
// Closes all of them.
void jck_kept_drop(jck_kept *kept, int64_t grace_ms);

#endif
