// Brings spellings back to the usual one: the opposite of respell.h.
#ifndef JCK_GENERATE_NORMALIZE_H
#define JCK_GENERATE_NORMALIZE_H

#include "harness/generate/respell.h"

// Appends a JSON text with the liberties in `what` (jck_respelling; NUMBERS is none of them) taken
// back: no white space between tokens, characters instead of escapes, the members of messages in
// the order jsonrpc, method, params, id. What comes out for other texts is not defined. False when
// the buffer is full.
bool jck_normalize(jrpc_slice text, unsigned what, jrpc_buffer *out);

#endif
