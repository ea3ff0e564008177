// How a WebSocket server may behave towards a client: the answers to its handshake, and the frames
// around a message. Some break RFC 6455, and the client has to fail the connection.
#ifndef JRPC_NET_WEBSOCKET_FORMS_H
#define JRPC_NET_WEBSOCKET_FORMS_H

#include "reference/base/buffer.h"
#include "reference/net/flaw.h"

#include <stdbool.h>

// An answer to a handshake.
struct jrpc_websocket_welcome;
// NULL if there is none with this name.
const struct jrpc_websocket_welcome *jrpc_websocket_welcome_find(jrpc_slice word);
const char *jrpc_websocket_welcome_words(void); // all names, with commas between them
// What a client breaks that goes on after it, in words, and what that concerns (*ret_of, may be
// NULL). NULL: nothing (RFC 6455, section 4.1).
const char *jrpc_websocket_welcome_flaw(const struct jrpc_websocket_welcome *welcome,
                                        jrpc_flaw *ret_of);
// Appends the answer to a client with this key. False without memory.
bool jrpc_websocket_welcome_put(const struct jrpc_websocket_welcome *welcome, jrpc_slice key,
                                jrpc_buffer *out);

// How a message is sent.
typedef struct jrpc_websocket_form {
    const char *word;
    const char *before;     // frames before it,
    size_t before_len;      // … and how many bytes they are
    bool masked;            // its frame has a mask
    unsigned reserved_bits; // … and these of JRPC_FRAME_RESERVED
} jrpc_websocket_form;
const jrpc_websocket_form *jrpc_websocket_form_find(jrpc_slice word);
const char *jrpc_websocket_form_words(void);

#endif
