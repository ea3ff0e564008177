// Ids that resemble the id of a Request but belong to no call. A client that compares ids as text,
// truncates numbers or keeps them in 32 bits mistakes them for its own. `${NAME-wider}` is one of
// them.
#ifndef JCK_SUITE_KIN_H
#define JCK_SUITE_KIN_H

#include "reference/base/buffer.h"
#include "reference/base/slice.h"

typedef enum jck_kin {
    JCK_KIN_WIDER,    // of 7: 4294967303, which is 2^32 + 7
    JCK_KIN_NEGATIVE, // -7
    JCK_KIN_FRACTION, // 7.5; of a Number too large for a double to hold its half: a smaller one
    JCK_KIN_TENFOLD,  // 7e1
    JCK_KIN_RETYPED,  // "7"
} jck_kin;

// Whether `name` ends with one of -wider, -negative, -fraction, -tenfold and -retyped; *ret_request
// is what precedes it, the name of a Request.
bool jck_kin_from_name(jrpc_slice name, jrpc_slice *ret_request, jck_kin *ret_kin);
// Appends the id that resembles `id`, a JSON spelling, in this way: always a String or a Number
// that differs from `id`, whatever type `id` is. False when the buffer is full.
bool jck_kin_spell(jck_kin kin, jrpc_slice id, jrpc_buffer *out);

#endif
