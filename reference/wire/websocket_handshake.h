// The opening handshake of WebSocket (RFC 6455, section 4): heads as text, no I/O.
#ifndef JRPC_WIRE_WEBSOCKET_HANDSHAKE_H
#define JRPC_WIRE_WEBSOCKET_HANDSHAKE_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"

#include <stdbool.h>

#define JRPC_WEBSOCKET_KEY_BYTES 25    // with its NUL
#define JRPC_WEBSOCKET_ACCEPT_BYTES 29 // with its NUL

// The length of a head at the front of `bytes`, its empty line included; 0 while it is not
// complete.
size_t jrpc_head_length(jrpc_slice bytes);
// The value of a header of a head, without white space around it; without a pointer if there is
// none of that name. Names are compared without case.
jrpc_slice jrpc_head_value(jrpc_slice head, const char *name);
// Whether the value of a header, such as "keep-alive, Upgrade", has the word, in any case. One
// without a pointer has none.
bool jrpc_head_lists(jrpc_slice value, const char *word);

// A key from 16 random bytes.
void jrpc_websocket_key(const unsigned char random[16], char ret_key[JRPC_WEBSOCKET_KEY_BYTES]);
// What a server answers to a key (section 4.2.2).
void jrpc_websocket_accept(jrpc_slice key, char ret_accept[JRPC_WEBSOCKET_ACCEPT_BYTES]);

// Checks a server's answer to `key` (NULL: none was sent, and any Sec-WebSocket-Accept will do).
// False with INVALID (another status, a wrong or missing Upgrade, Connection or
// Sec-WebSocket-Accept; the sentence says which).
bool jrpc_websocket_check_answer(jrpc_slice head, const char *key, jrpc_error *error);
// Reads a client's request and appends the answer to `out`: 101, or 400, 405 or 426 with a reason.
// True for 101.
bool jrpc_websocket_answer(jrpc_slice head, jrpc_buffer *out);
// Appends 101 as the answer to a key. False without memory.
bool jrpc_websocket_upgrade(jrpc_slice key, jrpc_buffer *out);

#endif
