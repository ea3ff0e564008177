// The ids of the messages in flight. A target may refuse an id that is in use (JSON-RPC 2.0 leaves
// this open), so no two messages on a connection have the same id. Pure.
#ifndef JCK_LIVE_TAKEN_H
#define JCK_LIVE_TAKEN_H

#include "reference/json/value.h"

#define JCK_TAKEN_SLOTS 8192u
#define JCK_TAKEN_MOST (JCK_TAKEN_SLOTS / 2) // ids at a time

// Zeroed: nothing is taken.
typedef struct jck_taken {
    uint64_t keys[JCK_TAKEN_SLOTS];   // 0: free
    uint16_t owners[JCK_TAKEN_SLOTS]; // the message that has it
    uint16_t used[JCK_TAKEN_MOST];    // slots, in the order in which they were taken
    size_t count;
} jck_taken;

// Takes the ids of a message, or of the elements of a batch, for `owner`, which is greater than
// that of every message before it. False, and nothing is taken, if another message on the
// connection has one of them, or if there are too many.
bool jck_taken_add(jck_taken *taken, char connection, uint16_t owner, jrpc_json message);
// Gives back all ids that were taken since there were `count` of them.
void jck_taken_return(jck_taken *taken, size_t count);

#endif
