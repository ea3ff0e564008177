// A string's content, byte by byte, escapes resolved. Private to the json room.
#ifndef JRPC_JSON_CONTENT_H
#define JRPC_JSON_CONTENT_H

#include "reference/json/value.h"

// Walks a string that was read, so that its spelling is known to be right.
typedef struct jrpc_json_content {
    const char *p;   // in the spelling, after what is in `bytes`
    const char *end; // the closing quote
    char bytes[4];   // one escape, resolved
    unsigned len;
    unsigned at;
} jrpc_json_content;

// `string` must be a string.
jrpc_json_content jrpc_json_content_of(jrpc_json string);
// The next byte, 0 to 255; -1 at the end.
int jrpc_json_content_next(jrpc_json_content *content);
// Whether two strings have the same content.
bool jrpc_json_content_equal(jrpc_json a, jrpc_json b);

#endif
