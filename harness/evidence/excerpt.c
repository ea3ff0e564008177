#include "harness/evidence/excerpt.h"

#include "reference/base/visible.h"

#include <string.h>

const char *jck_excerpt(jrpc_arena *arena, jrpc_slice bytes, size_t max)
{
    static const char hex[] = "0123456789abcdef";
    size_t shown = bytes.len < max ? bytes.len : max;
    char *text = jrpc_arena_alloc(arena, shown * 4 + sizeof "…");
    if (text == NULL) {
        return "?";
    }
    size_t at = 0;
    for (size_t i = 0; i < shown;) {
        // A character that the end cuts in two is shown by its bytes.
        size_t len = jrpc_visible_sequence(bytes.ptr + i, shown - i);
        if (len > 0) {
            memcpy(text + at, bytes.ptr + i, len);
            at += len;
            i += len;
            continue;
        }
        unsigned char byte = (unsigned char)bytes.ptr[i++];
        text[at++] = '\\';
        text[at++] = 'x';
        text[at++] = hex[byte >> 4];
        text[at++] = hex[byte & 15];
    }
    if (shown < bytes.len) {
        memcpy(text + at, "…", sizeof "…" - 1);
    }
    return text;
}
