// Proof that all is said: that nothing more comes for what was sent on a connection.
//
// There are two ways. Between requests and their answers on a stream stands a fence: a call whose
// answer shows that everything before it was dealt with. Over HTTP, and with a target that closes
// after its answer, the transport proves it.
#ifndef JCK_LINK_SYNCHRONISE_H
#define JCK_LINK_SYNCHRONISE_H

#include "harness/link/hear.h"

typedef enum jck_sync {
    JCK_SYNC_FENCED,  // a fence was answered
    JCK_SYNC_OVER,    // the transport proves it
    JCK_SYNC_LEFT,    // a stream of events goes on and on; it was left
    JCK_SYNC_MUTE,    // the proof did not come in time
    JCK_SYNC_UNSENT,  // the fence was not taken in time
    JCK_SYNC_ENDED,   // the connection is over
    JCK_SYNC_FLOODED, // it writes more than is listened to
    JCK_SYNC_INTERRUPTED,
    JCK_SYNC_FAULT, // our own failure
} jck_sync;

// Whoever keeps the record.
typedef struct jck_ear {
    void *context;
    // Takes note of what was heard. Returns what it is to whoever waits: less than it seems, if it
    // is not an answer after all.
    jck_heard_kind (*heard)(void *context, char connection, const jck_heard *heard);
    // Takes note of a fence.
    void (*fenced)(void *context, char connection, jrpc_slice bytes);
} jck_ear;

// How long reading so much may take, beyond the time of an answer.
int64_t jck_reading_us(size_t bytes);
// Listens until it is proved that nothing more comes, and tells the ear. *missing messages are
// still waited for, and counted down: an answer gives a slow target more time. *expired is counted
// up for every wait that ran into its deadline.
jck_sync jck_synchronise(jck_link *link, char connection, size_t *missing, const jck_ear *ear,
                         uint64_t *expired, jrpc_error *error);
// Hears one message and tells the ear; returns what it is to whoever waits.
jck_heard_kind jck_hear_with(jck_link *link, char connection, int64_t deadline_us,
                             const jck_ear *ear, jrpc_error *error);

#endif
