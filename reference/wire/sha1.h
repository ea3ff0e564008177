// SHA-1 (RFC 3174) and base64 (RFC 4648, section 4), which the WebSocket handshake asks for.
#ifndef JRPC_WIRE_SHA1_H
#define JRPC_WIRE_SHA1_H

#include "reference/base/slice.h"

#define JRPC_SHA1_BYTES 20

// The digest of `bytes` (at most 2^32 of them). Not for anything that has to be secure.
void jrpc_sha1(jrpc_slice bytes, unsigned char ret_digest[JRPC_SHA1_BYTES]);
// Writes the base64 of `bytes` with padding and a NUL after it: 4 bytes for each 3 begun, and one.
void jrpc_base64(jrpc_slice bytes, char *out);

#endif
