#include "fuzz/model/described.h"

#include "fuzz/fuzz.h"
#include "reference/json/write.h"

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void put(jrpc_buffer *out, const char *text)
{
    FUZZ_REQUIRE(jrpc_buffer_append_str(out, text));
}

static void put_name(jrpc_buffer *out, const char *before, const char *name, const char *behind)
{
    put(out, before);
    FUZZ_REQUIRE(jrpc_json_quote(out, jrpc_slice_str(name)));
    put(out, behind);
}

// The verbs of a resource, or of a subresource, as a member, if there are any.
static bool put_verbs(jrpc_buffer *out, const jrpc_route *routes, size_t route_count,
                      const char *resource, const char *sub)
{
    size_t count = 0;
    for (size_t i = 0; i < route_count; i++) {
        if (same(routes[i].resource, resource) && same(routes[i].subresource, sub)) {
            put_name(out, count++ == 0 ? "\"verbs\":[" : ",", routes[i].verb, "");
        }
    }
    put(out, count == 0 ? "" : "]");
    return count != 0;
}

// Whether no earlier route has the resource (and the subresource, if asked for).
static bool is_first(const jrpc_route *routes, size_t at, bool with_sub)
{
    for (size_t i = 0; i < at; i++) {
        if (same(routes[i].resource, routes[at].resource) &&
            (!with_sub || same(routes[i].subresource, routes[at].subresource))) {
            return false;
        }
    }
    return true;
}

void described_put(jrpc_buffer *out, const jrpc_route *routes, size_t count)
{
    const char *between = "";
    put(out, "{\"extension\":\"ro-jrpc\",\"version\":\"1.0\",\"resources\":{");
    for (size_t i = 0; i < count; i++) {
        const char *resource = routes[i].resource;
        if (!is_first(routes, i, false)) {
            continue;
        }
        put_name(out, between, resource, ":{");
        between = ",";
        bool verbs = put_verbs(out, routes, count, resource, NULL);
        size_t subs = 0;
        for (size_t j = 0; j < count; j++) {
            const jrpc_route *route = &routes[j];
            if (same(route->resource, resource) && route->subresource != NULL &&
                is_first(routes, j, true)) {
                put(out, subs != 0 || !verbs ? "" : ",");
                put_name(out, subs++ == 0 ? "\"subresources\":{" : ",", route->subresource, ":{");
                (void)put_verbs(out, routes, count, resource, route->subresource);
                put(out, "}");
            }
        }
        put(out, subs == 0 ? "}" : "}}");
    }
    put(out, "}}");
}
