#include "harness/suite/index.h"

#include "reference/base/hash.h"

#include <stdint.h>

struct jck_index_slot {
    jrpc_slice name; // NULL: free
    size_t number;
};

#define LEAST_CAPACITY 64

// The slot that has the name, or the free one for it.
static jck_index_slot *slot_of(const jck_index *index, jrpc_slice name)
{
    size_t at = (size_t)jrpc_hash_bytes(name) & (index->capacity - 1);
    while (index->slots[at].name.ptr != NULL && !jrpc_slice_equal(index->slots[at].name, name)) {
        at = (at + 1) & (index->capacity - 1);
    }
    return &index->slots[at];
}

static bool grow(jck_index *index, jrpc_arena *arena)
{
    jck_index larger = {.capacity = index->capacity == 0 ? LEAST_CAPACITY : index->capacity * 2,
                        .count = index->count};
    larger.slots = jrpc_arena_array(arena, larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < larger.capacity; i++) {
        larger.slots[i] = (jck_index_slot){.name = {NULL, 0}};
    }
    for (size_t i = 0; i < index->capacity; i++) {
        if (index->slots[i].name.ptr != NULL) {
            *slot_of(&larger, index->slots[i].name) = index->slots[i];
        }
    }
    *index = larger;
    return true;
}

bool jck_index_add(jck_index *index, jrpc_arena *arena, jrpc_slice name, size_t number)
{
    // Half of the slots stay free, so that a search is short.
    if (index->count * 2 >= index->capacity && !grow(index, arena)) {
        return false;
    }
    jck_index_slot *slot = slot_of(index, name.ptr == NULL ? JRPC_SLICE("") : name);
    if (slot->name.ptr == NULL) {
        *slot = (jck_index_slot){name.ptr == NULL ? JRPC_SLICE("") : name, number};
        index->count++;
    }
    return true;
}

bool jck_index_find(const jck_index *index, jrpc_slice name, size_t *ret_number)
{
    const jck_index_slot *slot = index->capacity == 0 ? NULL : slot_of(index, name);
    if (slot == NULL || slot->name.ptr == NULL) {
        return false;
    }
    *ret_number = slot->number;
    return true;
}
