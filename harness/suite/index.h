// Looks up numbers by name in constant time: for the ids of cases and rules, of which a suite may
// have many.
#ifndef JCK_SUITE_INDEX_H
#define JCK_SUITE_INDEX_H

#include "reference/base/arena.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct jck_index_slot jck_index_slot;

// Empty when zeroed.
typedef struct jck_index {
    jck_index_slot *slots; // in the arena that jck_index_add is given
    size_t capacity;       // a power of two, or 0
    size_t count;
} jck_index;

// Adds a name (borrowed); one that is already there keeps its number. False if out of memory.
bool jck_index_add(jck_index *index, jrpc_arena *arena, jrpc_slice name, size_t number);
bool jck_index_find(const jck_index *index, jrpc_slice name, size_t *ret_number);

#endif
