// The registered methods: a hash table by name. Private to this room.
#ifndef JRPC_RPC_METHODS_H
#define JRPC_RPC_METHODS_H

#include "reference/base/arena.h"
#include "reference/rpc/router.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jrpc_bound_parameter {
    jrpc_slice name;
    bool optional;
} jrpc_bound_parameter;

typedef struct jrpc_registered {
    jrpc_slice name;
    uint64_t hash;
    const jrpc_bound_parameter *parameters;
    size_t parameter_count;
    size_t required_count;
    bool any_params;
    const jrpc_route *route; // NULL: a plain method; borrowed
    jrpc_handler handler;
    void *context;
} jrpc_registered;

typedef struct jrpc_methods {
    const jrpc_allocator *allocator; // borrowed
    jrpc_arena names;                // owned: copies of names and parameters
    jrpc_registered *slots;          // owned: open addressing, a free slot has no handler
    size_t slot_count;               // a power of two, or 0
    size_t count;
} jrpc_methods;

// Initializes caller's storage. `allocator` is borrowed until done.
void jrpc_methods_init(jrpc_methods *methods, const jrpc_allocator *allocator);
void jrpc_methods_done(jrpc_methods *methods);
// As jrpc_router_add. With a `route` (borrowed until done) it is a verb called method->name.
bool jrpc_methods_add(jrpc_methods *methods, const jrpc_method *method, const jrpc_route *route,
                      jrpc_handler handler, void *context, jrpc_error *error);
// The method of that name, byte for byte; NULL if there is none. Borrowed until the next add.
const jrpc_registered *jrpc_methods_find(const jrpc_methods *methods, jrpc_slice name);

#endif
