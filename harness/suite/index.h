// From names to numbers in constant time: ids of cases and rules, of which a suite may have many.
#ifndef JCK_SUITE_INDEX_H
#define JCK_SUITE_INDEX_H

#include "reference/base/arena.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct jck_index_slot jck_index_slot;

// Zeroed, it is empty.
typedef struct jck_index {
    jck_index_slot *slots; // in the arena that it is given
    size_t capacity;       // a power of two, or 0
    size_t count;
} jck_index;

// Adds a name (borrowed); one that is there already keeps its number. False when memory is out.
bool jck_index_add(jck_index *index, jrpc_arena *arena, jrpc_slice name, size_t number);
bool jck_index_find(const jck_index *index, jrpc_slice name, size_t *ret_number);

#endif
