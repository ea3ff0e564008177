// The credentials that a target requires with every message, and those it must refuse.
#ifndef JCK_SUITE_CREDENTIAL_H
#define JCK_SUITE_CREDENTIAL_H

#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum jck_credential {
    JCK_CREDENTIAL_RIGHT,    // the target's own
    JCK_CREDENTIAL_NONE,     // left out
    JCK_CREDENTIAL_FORGED,   // the right one with one character changed
    JCK_CREDENTIAL_EXPIRED,  // valid until an hour ago
    JCK_CREDENTIAL_FOREIGN,  // signed with another key
    JCK_CREDENTIAL_UNSIGNED, // with the algorithm "none"
    JCK_CREDENTIAL_OTHER,    // valid, but of an identity with fewer rights
    JCK_CREDENTIAL_COUNT,
} jck_credential;

#define JCK_CREDENTIAL_WORDS "none, forged, expired, foreign, unsigned or other"

const char *jck_credential_word(jck_credential credential);
// The credential with this name; false for an unknown name and for the right credential, which is
// never named.
bool jck_credential_from_word(jrpc_slice word, jck_credential *ret_credential);

#define JCK_SIGNER_KEY_BYTES 32

typedef struct jck_signer {
    char key[JCK_SIGNER_KEY_BYTES];
} jck_signer;

// Reads a secret: a file with 64 hexadecimal digits, with or without 0x before them. False with
// SYSTEM, INVALID or LIMIT; the file is named.
bool jck_signer_read(const char *file, jck_signer *ret_signer, jrpc_error *error);
// The line "Authorization: Bearer …" with a credential issued at `now_s`, seconds since 1970. OTHER
// gives a valid one, with claims that a server need not know. NULL if out of memory.
const char *jck_signer_line(const jck_signer *signer, jck_credential which, int64_t now_s,
                            jrpc_arena *arena);

#endif
