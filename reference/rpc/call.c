// What handlers say and ask about the call at hand, but for their failures (failure.c).
#include "reference/rpc/router.h"

#include <inttypes.h>

void jrpc_call_cache(jrpc_call *call, uint32_t max_age)
{
    const char *hint = jrpc_arena_printf(call->arena, "{\"max-age\":%" PRIu32 "}", max_age);
    call->cache = jrpc_slice_str(hint);
}

bool jrpc_call_wants_fresh(const jrpc_call *call)
{
    return jrpc_json_string_is(call->fields->cache, JRPC_SLICE("no-cache"));
}

bool jrpc_route_is(const jrpc_route *route, const char *pattern)
{
    jrpc_slice left = jrpc_slice_str(pattern);
    const struct {
        const char *before;
        const char *name;
    } parts[] = {{"", route->resource}, {"/", route->subresource}, {":", route->verb}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].name == NULL) {
            continue;
        }
        const jrpc_slice words[] = {jrpc_slice_str(parts[i].before), jrpc_slice_str(parts[i].name)};
        for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
            if (!jrpc_slice_starts_with(left, words[j])) {
                return false;
            }
            left = jrpc_slice_from(left, words[j].len);
        }
    }
    return left.len == 0;
}
