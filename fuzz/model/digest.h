// SHA-256 and HMAC with it (FIPS 180-4, RFC 2104), slowly: the second opinion on what signs tokens.
#ifndef JRPC_FUZZ_MODEL_DIGEST_H
#define JRPC_FUZZ_MODEL_DIGEST_H

#include "reference/base/slice.h"

enum { DIGEST_BYTES = 32 };

// The code of a message under a key.
void digest_hmac(jrpc_slice key, jrpc_slice message, unsigned char ret_code[DIGEST_BYTES]);

#endif
