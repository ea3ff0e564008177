// The part of the reader that reads one string. Private to the json room.
#ifndef JRPC_JSON_READ_STRING_H
#define JRPC_JSON_READ_STRING_H

#include "reference/json/scan.h"
#include "reference/json/value.h"

// Where and why reading stopped.
typedef struct jrpc_json_stop {
    const char *at;
    const char *message; // a constant sentence
} jrpc_json_stop;

// Goes on with a string after its first plain run: `p` is at a byte that is not plain, or at `end`;
// node->begin is set. Fills the rest of the node and returns the byte after the closing quote;
// NULL with *stop filled if the text stops being JSON.
const char *jrpc_json_read_string_rest(const char *base, const char *p, const char *end,
                                       jrpc_json_node *node, jrpc_json_stop *stop);

// Reads the string whose opening quote is at base + node->begin. As above.
static inline const char *jrpc_json_read_string(const char *base, const char *end,
                                                jrpc_json_node *node, jrpc_json_stop *stop)
{
    const char *content = base + node->begin + 1;
    const char *p = jrpc_scan_plain(content, end);
    if (p == end || *p != '"') {
        return jrpc_json_read_string_rest(base, p, end, node, stop);
    }
    node->end = (uint32_t)(p - base) + 1;
    node->count = (uint32_t)(p - content);
    node->kind = JRPC_JSON_STRING;
    node->flags = 0;
    return p + 1;
}

#endif
