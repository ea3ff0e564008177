// Other spellings of the same JSON value, which every server must answer alike.
#ifndef JCK_GENERATE_RESPELL_H
#define JCK_GENERATE_RESPELL_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/json/value.h"

#include <stdbool.h>

// What may change; it has no meaning in RFC 8259.
typedef enum jck_respelling {
    JCK_RESPELL_SPACE = 1,   // white space between tokens (spaces and tabs only, since newlines
                             // frame messages)
    JCK_RESPELL_ORDER = 2,   // the order of members, unless a name occurs twice
    JCK_RESPELL_ESCAPES = 4, // characters of strings and names as \uXXXX, or the short escapes
    JCK_RESPELL_NUMBERS = 8, // 1 as 1.0, 10e-1, 0.1E1: equal decimals
    JCK_RESPELL_ALL = 15,
} jck_respelling;

// Appends `value` to `out` in another spelling, varied as the jck_respelling bits in `how` say. The
// result is equal to `value` (jrpc_json_equal), and the same for the same state of `random`. False
// if the buffer is full or the value is deeper than JRPC_LIMIT_DEPTH.
bool jck_respell(jrpc_json value, unsigned how, jrpc_random *random, jrpc_buffer *out);

#endif
