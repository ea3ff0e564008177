// The registered routes by resource, in the order of registration: what rpc.describe tells. Calls
// find their way through the one table of methods.h. Private to this room.
#ifndef JRPC_RPC_ROUTES_H
#define JRPC_RPC_ROUTES_H

#include "reference/base/arena.h"
#include "reference/json/write.h"
#include "reference/rpc/router.h"

struct jrpc_routes_node;
struct jrpc_routes_entry;

typedef struct jrpc_routes {
    const jrpc_allocator *allocator; // borrowed
    jrpc_arena arena;                // owned: names, nodes, entries
    struct jrpc_routes_node **slots; // owned: chains by hash of resource and subresource
    size_t slot_count;               // a power of two, or 0
    size_t node_count;
    size_t count; // routes
    struct jrpc_routes_node *first, *last;
} jrpc_routes;

// Initializes caller's storage. `allocator` is borrowed until done.
void jrpc_routes_init(jrpc_routes *routes, const jrpc_allocator *allocator);
void jrpc_routes_done(jrpc_routes *routes);

// Checks the names of a route and makes all that its registration needs, without registering it:
// *ret_entry, whose names live as long as `routes`. False with INVALID or MEMORY.
bool jrpc_routes_prepare(jrpc_routes *routes, const jrpc_route *route, jrpc_role role,
                         struct jrpc_routes_entry **ret_entry, jrpc_error *error);
// The route of an entry, and its whole name: the names joined by dots, NUL-terminated.
const jrpc_route *jrpc_routes_route(const struct jrpc_routes_entry *entry);
const char *jrpc_routes_name(const struct jrpc_routes_entry *entry);
// Registers what was prepared last. Cannot fail.
void jrpc_routes_commit(jrpc_routes *routes, struct jrpc_routes_entry *entry);

// Writes one Object: resources with their verbs and subresources (section 11).
void jrpc_routes_describe(const jrpc_routes *routes, jrpc_json_writer *writer);

#endif
