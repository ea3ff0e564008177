// Maps an expanded text (a case made from a row of a table) back to the file it came from. Private
// to the suite room.
#ifndef JCK_SUITE_ORIGIN_H
#define JCK_SUITE_ORIGIN_H

#include "reference/base/slice.h"

#include <stddef.h>

// A run of bytes of an expanded text, and where it was copied from.
typedef struct jck_piece {
    size_t at;   // offset in the expanded text
    size_t from; // offset in the file
} jck_piece;

// Where an expanded text comes from.
struct jck_origin {
    jrpc_slice text;         // of the file
    const jck_piece *pieces; // ascending by `at`, the first at 0
    size_t count;
    const char *row; // the row's name, for messages
};

// The offset in the file for an offset in the expanded text.
size_t jck_origin_offset(const struct jck_origin *origin, size_t offset);

#endif
