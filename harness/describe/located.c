#include "harness/describe/located.h"

// Follows a Reference Object. The path is the last of its references: a place below it is found by
// that one only. If out of memory (`path` is NULL), the value is ABSENT.
static jck_located follow(const jck_looking *looking, jrpc_json value, const char *path)
{
    jrpc_json target = jck_reference_resolve(looking->root, value, looking->arena);
    jrpc_slice reference;
    while (jrpc_json_exists(target) && value.index != target.index &&
           jrpc_json_string(jrpc_json_get(value, "$ref"), looking->arena, &reference)) {
        path = jrpc_arena_printf(looking->arena, "%.*s", (int)reference.len, reference.ptr);
        value = jck_reference_find(looking->root, reference, looking->arena);
    }
    return (jck_located){path == NULL ? JRPC_JSON_ABSENT : target, path == NULL ? "" : path};
}

jck_located jck_locate_root(const jck_looking *looking)
{
    return (jck_located){looking->root, "#"};
}

jck_located jck_locate(const jck_looking *looking, jck_located in, const char *key)
{
    return follow(looking, jrpc_json_get(in.value, key),
                  jrpc_arena_printf(looking->arena, "%s/%s", in.path, key));
}

jck_located jck_locate_element(const jck_looking *looking, jck_located in, unsigned index)
{
    return follow(looking, jrpc_json_element(in.value, index),
                  jrpc_arena_printf(looking->arena, "%s/%u", in.path, index));
}
