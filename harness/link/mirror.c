#include "harness/link/mirror.h"

#include "harness/suite/target.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#define MIRROR_BYTES ((size_t)4 << 20)

static bool can_be_carried(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        bool blank = byte == ' ' && (i == 0 || i + 1 == text.len);
        if (byte < ' ' || byte > '~' || blank) {
            return false;
        }
    }
    return text.len > 0 && text.len <= JCK_MIRROR_MAX;
}

// The String that the first fitting pointer of a mirror leads to; empty if none leads to one.
static jrpc_slice find(const jck_mirror *mirror, jrpc_json message, jrpc_arena *arena)
{
    jrpc_slice text = {NULL, 0};
    for (size_t i = 0; i < mirror->pointer_count; i++) {
        jrpc_json value = jrpc_json_pointer(message, mirror->pointers[i]);
        if (jrpc_json_is(value, JRPC_JSON_STRING)) {
            return jrpc_json_string(value, arena, &text) ? text : (jrpc_slice){NULL, 0};
        }
    }
    return text;
}

bool jck_mirror_headers(const void *context, jrpc_slice message,
                        bool (*take)(void *list, const char *line), void *list)
{
    const jck_target *target = context;
    jrpc_arena arena;
    jrpc_json_document document;
    bool done = true;
    if (target->mirror_count == 0 && target->signer == NULL) {
        return true;
    }
    jrpc_arena_init(&arena, jrpc_allocator_heap(), MIRROR_BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (target->signer != NULL) {
        const char *line = jck_target_credential(target, JCK_CREDENTIAL_RIGHT, &arena);
        done = line != NULL && take(list, line);
    }
    if (target->mirror_count > 0 && jrpc_json_read(&document, message, JRPC_LIMIT_DEPTH, NULL)) {
        for (size_t i = 0; i < target->mirror_count && done; i++) {
            jrpc_slice text = find(&target->mirrors[i], jrpc_json_root(&document), &arena);
            if (can_be_carried(text)) {
                const char *line = jrpc_arena_printf(&arena, "%s: %.*s", target->mirrors[i].name,
                                                     (int)text.len, text.ptr);
                done = line != NULL && take(list, line);
            }
        }
    }
    jrpc_json_document_done(&document);
    jrpc_arena_done(&arena);
    return done;
}
