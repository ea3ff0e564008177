// What the head of an HTTP answer says, for whoever reads the bytes by hand. Private to this room.
#ifndef JRPC_NET_HTTP_HEAD_H
#define JRPC_NET_HTTP_HEAD_H

#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    JRPC_HTTP_FINAL = 200, // lower: an interim answer
    JRPC_HTTP_NO_CONTENT = 204,
    JRPC_HTTP_NOT_MODIFIED = 304,
};

// Where the head ends, even if its lines end with LF alone (a flaw reports that); 0: it is not
// complete.
size_t jrpc_http_head_length(jrpc_slice bytes);
// Three digits of the first line.
int jrpc_http_head_status(jrpc_slice head);
// Whether an answer with this status has a body.
bool jrpc_http_has_body(int status);
// Whether an answer says that the connection ends after it (RFC 9112, section 9.3).
bool jrpc_http_head_announces_close(jrpc_slice head);

#endif
