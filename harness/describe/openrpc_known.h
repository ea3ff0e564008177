// Methods of a description that resemble those whose results are known.
#ifndef JCK_DESCRIBE_OPENRPC_KNOWN_H
#define JCK_DESCRIBE_OPENRPC_KNOWN_H

#include "reference/base/arena.h"
#include "reference/json/value.h"

#include <stdbool.h>

typedef struct jck_openrpc_known {
    jrpc_slice method; // its name, unquoted
    bool by_position, by_name;
    jrpc_slice names[2]; // of its first two params, unquoted; empty if there are none
} jck_openrpc_known;

// Finds the method that resembles `capability` (subtract, sum, get_data or echo): by the last part
// of its name (math.subtract, Subtract), else by its examples, which must all be right for that
// capability. The result lives in the description and `arena`. False if there is none.
bool jck_openrpc_find_known(jrpc_json root, const char *capability, jrpc_arena *arena,
                            jck_openrpc_known *ret);

#endif
