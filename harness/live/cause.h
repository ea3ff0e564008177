// Why a message is answered wrongly, as far as it shows by what the answer depends on and must not:
// how the message travels, how it is spelled, that it stands in a batch. Findings of one cause are
// one finding.
#ifndef JCK_LIVE_CAUSE_H
#define JCK_LIVE_CAUSE_H

#include "harness/generate/minimize.h"
#include "harness/live/compose.h"
#include "reference/base/arena.h"

typedef struct jck_cause_search {
    // Tries a message; *ret_difference: what shows, if anything.
    jck_probe (*try_shot)(void *context, const jck_shot *shot, uint64_t *ret_difference);
    void *context;
    jrpc_arena *arena; // of messages that are made
    bool stopped;
} jck_cause_search;

// Looks for the cause of `difference`, which `shot` shows. The shot, and the difference that it
// shows, are replaced where something simpler shows one: the message itself for the batch that it
// stands in, the usual spelling and way for others. A number for the cause; 0: nothing of that
// kind.
uint64_t jck_cause_find(jck_cause_search *search, jck_shot *shot, uint64_t *difference);

#endif
