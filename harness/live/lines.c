#include "harness/live/lines.h"

#include "harness/live/behaviour.h"
#include "reference/base/hash.h"

#include <string.h>

jrpc_slice jck_lines_new(jrpc_slice before, jrpc_slice now)
{
    // Where the oldest part of `before` was lost, the rest of it is still there.
    for (size_t lost = 0; lost < before.len; lost++) {
        const size_t kept = before.len - lost;
        if (kept <= now.len && memcmp(before.ptr + lost, now.ptr, kept) == 0) {
            return jrpc_slice_from(now, kept);
        }
    }
    return now;
}

bool jck_lines_next(jrpc_slice *text, jrpc_slice *ret_line)
{
    return text->len > 0 && memchr(text->ptr, '\n', text->len) != NULL &&
           jrpc_slice_take_line(text, ret_line);
}

uint64_t jck_lines_kind(jrpc_slice line)
{
    return jrpc_hash_number(jrpc_hash_bytes(JRPC_SLICE("line")), jck_behaviour_of_text(line)) | 1u;
}

bool jck_lines_has(jrpc_slice text, uint64_t kind)
{
    for (jrpc_slice line; jck_lines_next(&text, &line);) {
        if (jck_lines_kind(line) == kind) {
            return true;
        }
    }
    return false;
}
