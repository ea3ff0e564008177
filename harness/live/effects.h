// How often messages should take effect: the effects that the capability `count` counts. Pure.
#ifndef JCK_LIVE_EFFECTS_H
#define JCK_LIVE_EFFECTS_H

#include "harness/live/due.h"

// The effects of a message, added to *effects. Only notifications of `update` whose params are two
// small whole numbers have one for certain, alone or in a batch; messages that are not valid
// Requests, and calls and notifications of the method that does not exist, have none. False if it
// is not certain.
bool jck_effects_of(const jck_due_context *context, jrpc_slice text, size_t *effects);

#endif
