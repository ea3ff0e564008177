// Where two values first differ: the way from the root to it.
#ifndef JRPC_FUZZ_PLUG_DIFFERENCE_H
#define JRPC_FUZZ_PLUG_DIFFERENCE_H

#include "fuzz/model/tree.h"

typedef enum difference_kind {
    DIFFERENCE_VALUE,    // the innermost values are of two kinds, or scalars
    DIFFERENCE_ELEMENTS, // two arrays, one of which has more elements
    DIFFERENCE_MEMBERS,  // two objects, one of which has a name that the other has not
} difference_kind;

typedef struct difference {
    const tree *names[TREE_DEPTH + 1]; // NULL: an element
    size_t indices[TREE_DEPTH + 1];
    size_t len;
    const tree *left, *right; // the innermost values that are not the same
    difference_kind kind;
    const tree
        *lost; // of members: the first name that only `left` has; NULL if only `right` has more
    bool duplicated; // a name on the way, or of the innermost value, stands twice in its object
} difference;

// Of two values that are different (tree_equal).
void difference_find(difference *ret, const tree *left, const tree *right);

// Whether two members of an object have the same name.
bool difference_has_duplicates(const tree *object);

#endif
