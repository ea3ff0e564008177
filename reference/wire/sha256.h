// SHA-256 (RFC 6234) and HMAC with it (RFC 2104), for tokens and signatures.
#ifndef JRPC_WIRE_SHA256_H
#define JRPC_WIRE_SHA256_H

#include "reference/base/slice.h"

#define JRPC_SHA256_BYTES 32

// The digest of `first` and `second`, one after the other.
void jrpc_sha256(jrpc_slice first, jrpc_slice second, unsigned char ret_digest[JRPC_SHA256_BYTES]);
// The code of `message` under a key of any length.
void jrpc_hmac_sha256(jrpc_slice key, jrpc_slice message,
                      unsigned char ret_code[JRPC_SHA256_BYTES]);

#endif
