#include "reference/rpc/results.h"

#include "reference/base/limits.h"

bool jrpc_results_begin(jrpc_results *results, const jrpc_allocator *allocator, jrpc_sink sink,
                        const jrpc_result_parts *scope, jrpc_error *error)
{
    *results = (jrpc_results){.sink = sink};
    jrpc_arena_init(&results->arena, allocator, JRPC_LIMIT_MESSAGE_BYTES);
    const struct {
        jrpc_slice from;
        jrpc_slice *to;
    } parts[] = {
        {scope->resource, &results->scope.resource},
        {scope->subresource, &results->scope.subresource},
        {scope->target, &results->scope.target},
        {scope->parent, &results->scope.parent},
        {scope->request_id, &results->scope.request_id},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!jrpc_arena_copy(&results->arena, parts[i].from, parts[i].to)) {
            jrpc_arena_done(&results->arena);
            *results = (jrpc_results){.ended = true};
            return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for results");
        }
    }
    return true;
}

static bool send(jrpc_results *results, jrpc_status status, jrpc_slice members, bool final,
                 jrpc_error *error)
{
    if (results->ended) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "no result follows a return");
    }
    jrpc_result_parts parts = results->scope;
    parts.status = status;
    parts.result = members;
    parts.final = final;
    jrpc_buffer message;
    jrpc_buffer_init(&message, results->arena.allocator, JRPC_LIMIT_MESSAGE_BYTES);
    bool built = jrpc_build_result(&message, &parts, error);
    bool sent = built && results->sink.send(results->sink.context, jrpc_buffer_slice(&message));
    results->ended = final && built;
    jrpc_buffer_done(&message);
    return sent || !built
               ? built
               : jrpc_error_set(error, JRPC_ERROR_CLOSED, "the other side takes no results");
}

bool jrpc_results_yield(jrpc_results *results, jrpc_status status, jrpc_slice members,
                        jrpc_error *error)
{
    return send(results, status, members, false, error);
}

bool jrpc_results_return(jrpc_results *results, jrpc_status status, jrpc_slice members,
                         jrpc_error *error)
{
    return send(results, status, members, true, error);
}

void jrpc_results_done(jrpc_results *results)
{
    jrpc_arena_done(&results->arena);
}
