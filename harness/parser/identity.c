#include "harness/parser/identity.h"

#include "reference/base/limits.h"
#include "reference/json/read.h"

static void take(jrpc_json identity, const char *name, jck_target *target, jrpc_slice *ret_text)
{
    jrpc_slice text;
    if (ret_text->len == 0 &&
        jrpc_json_string(jrpc_json_get(identity, name), &target->arena, &text)) {
        (void)jrpc_arena_copy(&target->arena, text, ret_text);
    }
}

void jck_identity_take(jrpc_slice text, jck_target *target)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (text.len > 0 && jrpc_json_read(&document, text, JRPC_LIMIT_DEPTH, NULL)) {
        jrpc_json root = jrpc_json_root(&document);
        take(root, "name", target, &target->implementation.name);
        take(root, "version", target, &target->implementation.version);
        take(root, "language", target, &target->implementation.language);
    }
    jrpc_json_document_done(&document);
}
