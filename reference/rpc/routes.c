#include "reference/rpc/routes.h"

#include "reference/base/checked.h"
#include "reference/base/hash.h"
#include "reference/base/limits.h"
#include "reference/rpc/build.h"

enum { FIRST_SLOTS = 16 };

// A resource, or a subresource of one.
typedef struct jrpc_routes_node {
    const char *resource;
    const char *subresource; // NULL: a resource
    uint64_t hash;
    struct jrpc_routes_node *chain;         // in its slot
    struct jrpc_routes_node *next;          // sibling, in order
    struct jrpc_routes_node *first_sub;     // of a resource
    struct jrpc_routes_node *last_sub;      //
    struct jrpc_routes_entry *first, *last; // verbs, in order
} node;

typedef struct jrpc_routes_entry {
    jrpc_route route;
    const char *name;
    node *owner; // registered, unless it is among the next two
    node *new_resource, *new_subresource;
    struct jrpc_routes_entry *next;
} entry;

void jrpc_routes_init(jrpc_routes *routes, const jrpc_allocator *allocator)
{
    *routes = (jrpc_routes){.allocator = allocator};
    jrpc_arena_init(&routes->arena, allocator, JRPC_LIMIT_METHOD_BYTES);
}

void jrpc_routes_done(jrpc_routes *routes)
{
    jrpc_deallocate(routes->allocator, routes->slots);
    jrpc_arena_done(&routes->arena);
}

// Over both names with a dot, which neither holds, after each.
static uint64_t hash_of(const char *resource, const char *subresource)
{
    uint64_t hash = JRPC_HASH_START;
    const char *names[] = {resource, subresource == NULL ? "" : subresource};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        hash = jrpc_hash_byte(jrpc_hash_more(hash, jrpc_slice_str(names[i])), '.');
    }
    return hash;
}

static bool same_subresource(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static node *find(const jrpc_routes *routes, const char *resource, const char *subresource)
{
    if (routes->slot_count == 0) {
        return NULL;
    }
    node *at = routes->slots[(size_t)hash_of(resource, subresource) & (routes->slot_count - 1)];
    while (at != NULL && (strcmp(at->resource, resource) != 0 ||
                          !same_subresource(at->subresource, subresource))) {
        at = at->chain;
    }
    return at;
}

static void put(node **slots, size_t slot_count, node *entering)
{
    node **slot = &slots[(size_t)entering->hash & (slot_count - 1)];
    entering->chain = *slot;
    *slot = entering;
}

// Makes room for two more nodes.
static bool grow(jrpc_routes *routes)
{
    if (routes->node_count + 2 <= routes->slot_count) {
        return true;
    }
    size_t slot_count = routes->slot_count == 0 ? FIRST_SLOTS : routes->slot_count * 2;
    size_t bytes;
    if (!jrpc_checked_multiply(slot_count, sizeof(node *), &bytes)) {
        return false;
    }
    node **slots = jrpc_allocate(routes->allocator, bytes);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < slot_count; i++) {
        slots[i] = NULL;
    }
    for (size_t i = 0; i < routes->slot_count; i++) {
        for (node *at = routes->slots[i]; at != NULL;) {
            node *next = at->chain;
            put(slots, slot_count, at);
            at = next;
        }
    }
    jrpc_deallocate(routes->allocator, routes->slots);
    routes->slots = slots;
    routes->slot_count = slot_count;
    return true;
}

static bool check_names(const jrpc_route *route, jrpc_role role, jrpc_error *error)
{
    if (!jrpc_build_check_name("resource", jrpc_slice_str(route->resource), error) ||
        !jrpc_build_check_name("verb", jrpc_slice_str(route->verb), error) ||
        (route->subresource != NULL &&
         !jrpc_build_check_name("subresource", jrpc_slice_str(route->subresource), error))) {
        return false;
    }
    if (role == JRPC_ROLE_SERVER && jrpc_resource_verb_is_reserved(jrpc_slice_str(route->verb))) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "the verb %s of %s: yield and return are what a server sends, not "
                              "what it serves",
                              route->verb, route->resource);
    }
    return true;
}

static const char *copy(jrpc_routes *routes, const char *text)
{
    jrpc_slice copied;
    return jrpc_arena_copy(&routes->arena, jrpc_slice_str(text), &copied) ? copied.ptr : NULL;
}

// The node that is there, or a new one, which also goes to *ret_new. NULL when memory is out.
static node *find_or_make(jrpc_routes *routes, const char *resource, const char *subresource,
                          node **ret_new)
{
    node *known = find(routes, resource, subresource);
    if (known != NULL) {
        return known;
    }
    node *made = jrpc_arena_alloc(&routes->arena, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->hash = hash_of(resource, subresource);
    made->resource = copy(routes, resource);
    made->subresource = subresource == NULL ? NULL : copy(routes, subresource);
    if (made->resource == NULL || (subresource != NULL && made->subresource == NULL)) {
        return NULL;
    }
    *ret_new = made;
    return made;
}

static entry *make_entry(jrpc_routes *routes, const jrpc_route *route)
{
    entry *made = grow(routes) ? jrpc_arena_alloc(&routes->arena, sizeof *made) : NULL;
    if (made == NULL) {
        return NULL;
    }
    bool nested = route->subresource != NULL;
    made->owner = find_or_make(routes, route->resource, NULL, &made->new_resource);
    if (nested && made->owner != NULL) {
        made->owner =
            find_or_make(routes, route->resource, route->subresource, &made->new_subresource);
    }
    if (made->owner == NULL) {
        return NULL;
    }
    made->route =
        (jrpc_route){made->owner->resource, made->owner->subresource, copy(routes, route->verb)};
    made->name = jrpc_arena_printf(&routes->arena, "%s%s%s.%s", route->resource, nested ? "." : "",
                                   nested ? route->subresource : "", route->verb);
    return made->route.verb == NULL || made->name == NULL ? NULL : made;
}

bool jrpc_routes_prepare(jrpc_routes *routes, const jrpc_route *route, jrpc_role role,
                         entry **ret_entry, jrpc_error *error)
{
    if (!check_names(route, role, error)) {
        return false;
    }
    entry *made = make_entry(routes, route);
    if (made == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for the verb %s of %s",
                              route->verb, route->resource);
    }
    *ret_entry = made;
    return true;
}

const jrpc_route *jrpc_routes_route(const entry *of)
{
    return &of->route;
}

const char *jrpc_routes_name(const entry *of)
{
    return of->name;
}

static void enter(jrpc_routes *routes, node *entering, node **first, node **last)
{
    put(routes->slots, routes->slot_count, entering);
    routes->node_count++;
    if (*last == NULL) {
        *first = entering;
    } else {
        (*last)->next = entering;
    }
    *last = entering;
}

void jrpc_routes_commit(jrpc_routes *routes, entry *committed)
{
    if (committed->new_resource != NULL) {
        enter(routes, committed->new_resource, &routes->first, &routes->last);
    }
    if (committed->new_subresource != NULL) {
        node *above = find(routes, committed->route.resource, NULL);
        enter(routes, committed->new_subresource, &above->first_sub, &above->last_sub);
    }
    node *owner = committed->owner;
    if (owner->last == NULL) {
        owner->first = committed;
    } else {
        owner->last->next = committed;
    }
    owner->last = committed;
    routes->count++;
}

static void describe_verbs(const node *of, jrpc_json_writer *writer)
{
    if (of->first == NULL) {
        return;
    }
    jrpc_json_write_key(writer, "verbs");
    jrpc_json_write_begin_array(writer);
    for (const entry *at = of->first; at != NULL; at = at->next) {
        jrpc_json_write_str(writer, at->route.verb);
    }
    jrpc_json_write_end_array(writer);
}

static void describe_resource(const node *of, jrpc_json_writer *writer)
{
    jrpc_json_write_key(writer, of->resource);
    jrpc_json_write_begin_object(writer);
    describe_verbs(of, writer);
    if (of->first_sub != NULL) {
        jrpc_json_write_key(writer, "subresources");
        jrpc_json_write_begin_object(writer);
        for (const node *at = of->first_sub; at != NULL; at = at->next) {
            jrpc_json_write_key(writer, at->subresource);
            jrpc_json_write_begin_object(writer);
            describe_verbs(at, writer);
            jrpc_json_write_end_object(writer);
        }
        jrpc_json_write_end_object(writer);
    }
    jrpc_json_write_end_object(writer);
}

void jrpc_routes_describe(const jrpc_routes *routes, jrpc_json_writer *writer)
{
    jrpc_json_write_begin_object(writer);
    jrpc_json_write_key(writer, "extension");
    jrpc_json_write_str(writer, "ro-jrpc");
    jrpc_json_write_key(writer, "version");
    jrpc_json_write_str(writer, "1.0");
    jrpc_json_write_key(writer, "resources");
    jrpc_json_write_begin_object(writer);
    for (const node *at = routes->first; at != NULL; at = at->next) {
        describe_resource(at, writer);
    }
    jrpc_json_write_end_object(writer);
    jrpc_json_write_end_object(writer);
}
