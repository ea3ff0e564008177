#include "harness/live/taken.h"

#include "harness/live/identity.h"
#include "reference/base/hash.h"

static bool take(jck_taken *taken, char connection, uint16_t owner, jrpc_json message)
{
    jrpc_json id = jrpc_json_get(message, "id");
    bool usable = jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_is(id, JRPC_JSON_NUMBER);
    uint64_t of_id = usable ? jck_id_key(id) : 0;
    if (of_id == 0) {
        return true;
    }
    const uint64_t key = jrpc_hash_number(of_id, (unsigned char)connection) | 1u;
    size_t slot = (size_t)(key >> 7) % JCK_TAKEN_SLOTS;
    while (taken->keys[slot] != 0 && taken->keys[slot] != key) {
        slot = (slot + 1) % JCK_TAKEN_SLOTS;
    }
    if (taken->keys[slot] == key) {
        return taken->owners[slot] == owner; // two elements of one batch may have the same
    }
    if (taken->count == JCK_TAKEN_MOST) {
        return false;
    }
    taken->keys[slot] = key;
    taken->owners[slot] = owner;
    taken->used[taken->count++] = (uint16_t)slot;
    return true;
}

bool jck_taken_add(jck_taken *taken, char connection, uint16_t owner, jrpc_json message)
{
    size_t before = taken->count;
    bool free = take(taken, connection, owner, message);
    if (jrpc_json_is(message, JRPC_JSON_ARRAY)) {
        for (jrpc_json_iterator it = jrpc_json_iterate(message); free && jrpc_json_step(&it);) {
            free = take(taken, connection, owner, it.value);
        }
    }
    if (!free) {
        jck_taken_return(taken, before);
    }
    return free;
}

void jck_taken_return(jck_taken *taken, size_t count)
{
    // The slots taken last are given back first, so no search for an earlier id passes them.
    while (taken->count > count) {
        taken->keys[taken->used[--taken->count]] = 0;
    }
}
