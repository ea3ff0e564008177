// Connections that are listened to in the background until a time is over.
// Only waiting proves that nothing comes, but meanwhile the run goes on: a connection that went
// mute is put aside with its process, and later messages use another one. A connection in order may
// be listened to while it is in use; it is put aside when it would otherwise be closed.
#ifndef JCK_LINK_KEPT_H
#define JCK_LINK_KEPT_H

#include "harness/link/host.h"
#include "reference/net/peer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// At most this many, and at most this many that went mute, because each of those may be a process
// that stays busy for ever.
#define JCK_KEPT_MAX 8
#define JCK_KEPT_MUTE_MAX 3

typedef enum jck_kept_state {
    JCK_KEPT_LISTENS, // its time is not over, and nothing has come
    JCK_KEPT_QUIET,   // its time is over, and nothing came
    JCK_KEPT_SPOKE,   // something came
    JCK_KEPT_ENDED,   // the other side closed it without a word
    JCK_KEPT_LOST,    // it was closed early, for lack of room
} jck_kept_state;

typedef struct jck_kept_peer {
    jrpc_peer *peer; // NULL: a free place
    uint64_t number; // of the connection, from 1
    int64_t until_us;
    int64_t idle_us; // … or until then, if its process has nothing to do; 0: until_us
    bool mute;
    jck_allowance allowance; // of the process behind it
} jck_kept_peer;

// At most this many children may be ending at once.
#define JCK_LEAVING_MAX 2

typedef struct jck_leaving {
    jrpc_peer *peer;  // NULL: none
    int64_t since_us; // when it was let go
} jck_leaving;

// What a link has put aside.
typedef struct jck_kept {
    jck_kept_peer peers[JCK_KEPT_MAX];
    jck_leaving leaving[JCK_LEAVING_MAX]; // the first one to be let go comes first
} jck_kept;

// Takes a peer and listens to it as `one` says, or longer while its allowance lasts. If there is no
// room: false, and the peer is not taken.
bool jck_kept_put(jck_kept *kept, const jck_kept_peer *one);
// Waits until the connection with this number is no longer in the state LISTENS, or until
// `deadline_us`, and returns its state. A connection that spoke or ended, or whose time is over, is
// closed, with `grace_ms` for each stage of ending a child; from then on its state is LOST, like
// that of one that was never there.
jck_kept_state jck_kept_look(jck_kept *kept, uint64_t number, const jrpc_clock *clock,
                             int64_t deadline_us, int64_t grace_ms);
// Stops listening to the connection with this number so much earlier.
void jck_kept_hasten(jck_kept *kept, uint64_t number, int64_t by_us);
// How long each stage of ending a child may take, if its connection may have gone mute.
int64_t jck_kept_grace_ms(bool mute, int64_t grace_ms);
// Lets the child behind a connection exit by itself (takes the peer): its input is closed, and it
// is waited for only when its place is needed for another, for what is left of `grace_ms`.
void jck_kept_dismiss(jck_kept *kept, jrpc_peer *peer, const jrpc_clock *clock, int64_t grace_ms);
// Closes the one with this number, if there is one.
void jck_kept_close(jck_kept *kept, uint64_t number, int64_t grace_ms);
// Closes all of them.
void jck_kept_drop(jck_kept *kept, const jrpc_clock *clock, int64_t grace_ms);

#endif
