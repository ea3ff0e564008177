// The credentials that a target wants with every message, and those that it is not to take.
#ifndef JCK_SUITE_CREDENTIAL_H
#define JCK_SUITE_CREDENTIAL_H

#include "reference/base/slice.h"

#include <stdbool.h>

typedef enum jck_credential {
    JCK_CREDENTIAL_RIGHT,    // the target's own
    JCK_CREDENTIAL_NONE,     // left out
    JCK_CREDENTIAL_FORGED,   // the right one with one character changed
    JCK_CREDENTIAL_EXPIRED,  // it was right an hour ago
    JCK_CREDENTIAL_FOREIGN,  // signed with another key
    JCK_CREDENTIAL_UNSIGNED, // of the algorithm none
    JCK_CREDENTIAL_OTHER,    // right, of an identity that may do less
    JCK_CREDENTIAL_COUNT,
} jck_credential;

#define JCK_CREDENTIAL_WORDS "none, forged, expired, foreign, unsigned or other"

const char *jck_credential_word(jck_credential credential);
// The credential of a word; false for any other, and for the right one, which nobody has to name.
bool jck_credential_from_word(jrpc_slice word, jck_credential *ret_credential);

#endif
