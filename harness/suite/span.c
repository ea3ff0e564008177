#include "harness/suite/span.h"

#include "harness/suite/load.h"

// Below, at or above zero if `a` comes before, equals, or comes after `b`.
static int compare(jrpc_slice a, jrpc_slice b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter == 0 ? 0 : memcmp(a.ptr, b.ptr, shorter);
    return order != 0 ? order : a.len < b.len ? -1 : a.len > b.len;
}

bool jck_span_has(const jck_span *span, jrpc_slice revision)
{
    return revision.len == 0 || ((span->since.len == 0 || compare(span->since, revision) <= 0) &&
                                 (span->until.len == 0 || compare(revision, span->until) <= 0));
}

void jck_load_span(jck_reader *reader, jrpc_json object, jck_span *ret)
{
    *ret = (jck_span){.since = {NULL, 0}};
    // null means no bound, so that a row of a table can leave it out.
    if (!jrpc_json_is(jrpc_json_get(object, "since"), JRPC_JSON_NULL)) {
        (void)jck_read_word(reader, object, "since", false, &ret->since);
    }
    if (!jrpc_json_is(jrpc_json_get(object, "until"), JRPC_JSON_NULL)) {
        (void)jck_read_word(reader, object, "until", false, &ret->until);
    }
    if (ret->since.len > 0 && ret->until.len > 0 && compare(ret->since, ret->until) > 0) {
        (void)jck_wrong(reader, jrpc_json_get(object, "until"),
                        "until \"%.*s\" is before since \"%.*s\"", JCK_WORD(ret->until),
                        JCK_WORD(ret->since));
    }
}
