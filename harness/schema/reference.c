#include "harness/schema/reference.h"

#include "reference/json/scan.h"

// How many references may lead to each other.
#define LINKS_MAX 32

// The pointer in a fragment, percent escapes resolved; false without memory.
static bool read_fragment(jrpc_slice fragment, jrpc_arena *arena, jrpc_slice *ret)
{
    char *text = jrpc_arena_alloc(arena, fragment.len + 1);
    size_t len = 0;
    if (text == NULL) {
        return false;
    }
    for (size_t i = 0; i < fragment.len; i++) {
        bool percent = fragment.ptr[i] == '%' && i + 2 < fragment.len;
        int byte = percent ? jrpc_scan_hex_pair(fragment.ptr + i + 1) : -1;
        text[len++] = byte >= 0 ? (char)byte : fragment.ptr[i];
        i += byte >= 0 ? 2 : 0;
    }
    *ret = jrpc_slice_of(text, len);
    return true;
}

bool jck_reference_is_within(jrpc_slice reference)
{
    return reference.len > 0 && reference.ptr[0] == '#' &&
           (reference.len == 1 || reference.ptr[1] == '/');
}

jrpc_json jck_reference_find(jrpc_json base, jrpc_slice reference, jrpc_arena *arena)
{
    jrpc_slice pointer;
    if (!jck_reference_is_within(reference) ||
        !read_fragment(jrpc_slice_from(reference, 1), arena, &pointer)) {
        return JRPC_JSON_ABSENT;
    }
    return jrpc_json_pointer(base, pointer);
}

jrpc_json jck_reference_resolve(jrpc_json root, jrpc_json value, jrpc_arena *arena)
{
    for (int i = 0; i < LINKS_MAX; i++) {
        jrpc_slice text;
        if (!jrpc_json_string(jrpc_json_get(value, "$ref"), arena, &text)) {
            return value;
        }
        value = jck_reference_find(root, text, arena);
    }
    return JRPC_JSON_ABSENT;
}
