#include "harness/suite/parse.h"

#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <string.h>

// Copies a document with its nodes. NULL if out of memory.
static jrpc_json_document *keep(jrpc_arena *arena, const jrpc_json_document *parsed)
{
    jrpc_json_document *kept = jrpc_arena_array(arena, 1, sizeof *kept);
    jrpc_json_node *nodes =
        kept == NULL ? NULL : jrpc_arena_array(arena, parsed->count, sizeof *nodes);
    if (nodes == NULL) {
        return NULL;
    }
    memcpy(nodes, parsed->nodes, parsed->count * sizeof *nodes);
    *kept = *parsed;
    kept->nodes = nodes;
    kept->capacity = parsed->count;
    return kept;
}

bool jck_parse(jrpc_arena *arena, jrpc_slice text, jrpc_json *ret_value, jrpc_error *error)
{
    jrpc_json_document parsed;
    jrpc_json_document_init(&parsed, arena->allocator);
    bool done = jrpc_json_read(&parsed, text, JRPC_LIMIT_DEPTH, error);
    if (done) {
        const jrpc_json_document *kept = keep(arena, &parsed);
        done = kept != NULL || jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for JSON");
        *ret_value = kept == NULL ? JRPC_JSON_ABSENT : jrpc_json_root(kept);
    }
    jrpc_json_document_done(&parsed);
    return done;
}
