// Keccak-256 as Ethereum uses it: the padding from before FIPS 202, so not SHA3-256.
#ifndef JRPC_SERVER_KECCAK_H
#define JRPC_SERVER_KECCAK_H

#include "reference/base/slice.h"

#include <stdint.h>

#define JRPC_KECCAK_BYTES 32
#define JRPC_KECCAK_PADDING 0x01 // FIPS 202 has 0x06

// The hash of `bytes`; `padding` is the byte that follows them.
void jrpc_keccak_256(jrpc_slice bytes, uint8_t padding, uint8_t ret_hash[JRPC_KECCAK_BYTES]);

#endif
