// Ids and names that resemble others. An id that resembles that of a Request belongs to no call: a
// client that compares ids as text, truncates numbers or keeps them in 32 bits mistakes it for its
// own (`${NAME-wider}`). A name that resembles that of a method is unknown: a server that folds
// case or normalises names serves it (`${CAP:raised}`).
#ifndef JCK_SUITE_KIN_H
#define JCK_SUITE_KIN_H

#include "reference/base/arena.h"
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

typedef enum jck_name_spelling {
    JCK_NAME_ESCAPED,    // the same name: every ASCII character as an escape
    JCK_NAME_SHORTENED,  // another name: without the last character
    JCK_NAME_RAISED,     // another name: capital letters instead of small ones
    JCK_NAME_WIDENED,    // another name: full-width letters and digits instead of those of ASCII
    JCK_NAME_HYPHENATED, // another name: hyphens instead of underscores
} jck_name_spelling;

// Respells a method's name, given as a JSON String. False if it cannot be respelled (it has
// escapes), if that would not change it, or if memory is out.
bool jck_kin_spell_name(jrpc_slice method, jck_name_spelling how, jrpc_arena *arena,
                        jrpc_slice *ret_spelling);

#endif
