#include "harness/schema/reference.h"

#include <string.h>

// References that lead to references.
#define LINKS_MAX 32

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
    return at == NULL ? -1 : (int)(at - digits);
}

// The pointer in a fragment, percent escapes resolved; false without memory.
static bool read_fragment(jrpc_slice fragment, jrpc_arena *arena, jrpc_slice *ret)
{
    char *text = jrpc_arena_alloc(arena, fragment.len + 1);
    size_t len = 0;
    if (text == NULL) {
        return false;
    }
    for (size_t i = 0; i < fragment.len; i++) {
        bool escape = fragment.ptr[i] == '%' && i + 2 < fragment.len &&
                      digit_of(fragment.ptr[i + 1]) >= 0 && digit_of(fragment.ptr[i + 2]) >= 0;
        text[len++] =
            escape ? (char)(digit_of(fragment.ptr[i + 1]) * 16 + digit_of(fragment.ptr[i + 2]))
                   : fragment.ptr[i];
        i += escape ? 2 : 0;
    }
    *ret = jrpc_slice_of(text, len);
    return true;
}

jrpc_json jck_reference_find(jrpc_json base, jrpc_slice reference, jrpc_arena *arena)
{
    jrpc_slice pointer;
    bool within = reference.len > 0 && reference.ptr[0] == '#' &&
                  (reference.len == 1 || reference.ptr[1] == '/');
    if (!within || !read_fragment(jrpc_slice_from(reference, 1), arena, &pointer)) {
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
