// A number for bytes (FNV-1a): for tables and names of files, never against an adversary.
#ifndef JRPC_BASE_HASH_H
#define JRPC_BASE_HASH_H

#include "reference/base/slice.h"

#include <stdint.h>

#define JRPC_HASH_START UINT64_C(14695981039346656037)

static inline uint64_t jrpc_hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * UINT64_C(1099511628211);
}

// Goes on with the bytes from what those before them gave (first: JRPC_HASH_START).
static inline uint64_t jrpc_hash_more(uint64_t hash, jrpc_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        hash = jrpc_hash_byte(hash, (unsigned char)bytes.ptr[i]);
    }
    return hash;
}

static inline uint64_t jrpc_hash_bytes(jrpc_slice bytes)
{
    return jrpc_hash_more(JRPC_HASH_START, bytes);
}

// The same with a number.
static inline uint64_t jrpc_hash_number(uint64_t hash, uint64_t number)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        hash = jrpc_hash_byte(hash, (unsigned char)(number >> shift));
    }
    return hash;
}

#endif
