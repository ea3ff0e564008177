// The params of generated messages.
#ifndef JCK_GENERATE_PARAMS_H
#define JCK_GENERATE_PARAMS_H

#include "harness/generate/grammar.h"

// Appends params that fit a method (NULL: any) as a whole `,"params":…`; nothing if it takes none.
void jck_params_fit(const jck_grammar *grammar, const jck_method *method, jrpc_random *random,
                    jrpc_buffer *out);
// The same, but every fourth time they may not fit.
void jck_params_any(const jck_grammar *grammar, const jck_method *method, jrpc_random *random,
                    jrpc_buffer *out);
// Appends an Array or Object with arbitrary content.
void jck_params_structure(const jck_grammar *grammar, jrpc_random *random, jrpc_buffer *out);

#endif
