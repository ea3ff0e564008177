// Tokens that are made anew for each message, as the Engine API of Ethereum requires: HS256, with
// the time at which they were issued.
#ifndef JCK_SUITE_SIGNER_H
#define JCK_SUITE_SIGNER_H

#include "harness/suite/credential.h"
#include "reference/base/arena.h"
#include "reference/base/error.h"

#include <stdint.h>

#define JCK_SIGNER_KEY_BYTES 32

typedef struct jck_signer {
    char key[JCK_SIGNER_KEY_BYTES];
} jck_signer;

// Reads a secret: a file with 64 hexadecimal digits, with or without 0x before them. False with
// SYSTEM, INVALID or LIMIT; the file is named.
bool jck_signer_read(const char *file, jck_signer *ret_signer, jrpc_error *error);
// The line "Authorization: Bearer …" with a credential issued at `now_s`, seconds since 1970. OTHER
// gives a valid one, with claims that a server need not know. NULL without memory.
const char *jck_signer_line(const jck_signer *signer, jck_credential which, int64_t now_s,
                            jrpc_arena *arena);

#endif
