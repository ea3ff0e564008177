// The forms of an HTTP answer: each is right, and differs from the usual one in what RFC 9110 and
// RFC 9112 leave to the server.
#ifndef JRPC_NET_HTTP_REPLIES_H
#define JRPC_NET_HTTP_REPLIES_H

#include "reference/base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

// Where the form "redirect" sends a client: a path on the same server.
#define JRPC_HTTP_REDIRECTED "/jrpcheck-redirected"

struct jrpc_http_reply_form;

// The form with this name; NULL if there is none.
const struct jrpc_http_reply_form *jrpc_http_reply_find(jrpc_slice word);
// All names, with commas between them.
const char *jrpc_http_reply_words(void);

// What is answered.
typedef struct jrpc_http_reply_parts {
    const struct jrpc_http_reply_form *form; // NULL: as usual
    int status;
    const char *content_type;
    jrpc_slice body;
    const size_t *cuts; // ascending offsets: the body is sent in chunks that end there,
    size_t cut_count;   // unless the form says how it is sent
    bool old; // to HTTP/1.0: no transfer coding, and no interim answer (RFC 9112, section 6.1)
    bool takes_gzip; // the client lists that content coding in its Accept-Encoding
    bool close;      // the client asked for the end of the connection after it
} jrpc_http_reply_parts;

// What is to happen after the bytes of an answer.
typedef struct jrpc_http_reply_end {
    bool close;     // the connection ends
    bool in_pieces; // its bytes are written in several parts, some time apart
} jrpc_http_reply_end;

// Appends the answer. False without memory.
bool jrpc_http_reply_put(const jrpc_http_reply_parts *parts, jrpc_buffer *out,
                         jrpc_http_reply_end *ret_end);

#endif
