// An answer to an earlier call in the place of the next one.
#ifndef JRPC_FUZZ_SESSION_STALE_H
#define JRPC_FUZZ_SESSION_STALE_H

#include "fuzz/session/exchange.h"

// Puts the answer before a message, as it came, into `text`, which is what the message would say.
// False, with nothing changed, unless both answer calls of ours and say different things.
bool stale_put(const exchange *e, const jck_message *message, jrpc_buffer *text);

#endif
