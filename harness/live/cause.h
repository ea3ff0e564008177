// Why a message is answered incorrectly. An answer must not depend on how the message travels, how
// it is spelled, or whether it is in a batch. If it does, that is the cause, and findings with the
// same cause are one finding.
#ifndef JCK_LIVE_CAUSE_H
#define JCK_LIVE_CAUSE_H

#include "harness/generate/minimize.h"
#include "harness/live/compose.h"
#include "reference/base/arena.h"

typedef struct jck_cause_search {
    // Tries a message; *ret_difference is the difference that it shows, if any.
    jck_probe (*try_shot)(void *context, const jck_shot *shot, uint64_t *ret_difference);
    void *context;
    jrpc_arena *arena; // of messages that are created
    // If the message is a call that was not answered at all: the JSON spelling of the method that
    // does not exist; else empty.
    jrpc_slice absent;
    bool stopped;
} jck_cause_search;

// Searches for the cause of `difference`, which `shot` shows. If something simpler also shows a
// difference, it replaces both: an element replaces its batch, the usual spelling and way of
// travelling replace any others, and a plain call with the same id replaces one that was not
// answered. Returns a number for the cause; 0: the answer depends on none of
// these.
uint64_t jck_cause_find(jck_cause_search *search, jck_shot *shot, uint64_t *difference);

#endif
