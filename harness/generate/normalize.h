// Brings spellings back to the usual form: the opposite of respell.h.
#ifndef JCK_GENERATE_NORMALIZE_H
#define JCK_GENERATE_NORMALIZE_H

#include "harness/generate/respell.h"

// Appends a JSON text with the variations in `what` undone (bits of jck_respelling other than
// NUMBERS): no white space between tokens, characters instead of escapes, the members of messages
// in the order jsonrpc, method, params, id. The output for other texts is undefined. False if the
// buffer is full.
bool jck_normalize(jrpc_slice text, unsigned what, jrpc_buffer *out);

#endif
