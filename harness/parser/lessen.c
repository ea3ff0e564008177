#include "harness/parser/lessen.h"

#include "harness/generate/reduce.h"
#include "reference/base/arena.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#define ARENA_BYTES ((size_t)64 << 20)
// Values within a text that are tried in its place.
#define VALUES_MAX 64

typedef struct lessening {
    jck_try_text *try_text;
    void *context;
    const char *bytes;  // the whole text
    jrpc_buffer *tried; // a part of it
    bool on;
} lessening;

static jck_probe try_parts(void *context, const size_t *parts, size_t count)
{
    lessening *self = context;
    jrpc_buffer_clear(self->tried);
    for (size_t i = 0; i < count; i++) {
        jrpc_buffer_append_char(self->tried, self->bytes[parts[i]]);
    }
    jck_probe probe = self->tried->failed
                          ? JCK_PROBE_STOPS
                          : self->try_text(self->context, jrpc_buffer_slice(self->tried));
    self->on = probe != JCK_PROBE_STOPS;
    return probe;
}

static void keep_parts(jrpc_buffer *text, const size_t *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text->ptr[i] = text->ptr[parts[i]]; // parts[i] is at least i
    }
    jrpc_buffer_truncate(text, count);
}

// Puts a value within the text in its place, if one shows it. False: no more.
static bool hoist(lessening *self, jrpc_buffer *text)
{
    jrpc_json_document document;
    jrpc_slice best = {NULL, 0};
    jck_probe probe = JCK_PROBE_LACKS;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool json = jrpc_json_read(&document, jrpc_buffer_slice(text), JRPC_LIMIT_DEPTH, NULL);
    for (uint32_t i = 1; json && i < document.count && i < VALUES_MAX; i++) {
        jrpc_slice value = jrpc_json_spelling((jrpc_json){&document, i});
        if (probe != JCK_PROBE_STOPS && (best.len == 0 || value.len < best.len)) {
            probe = self->try_text(self->context, value);
            best = probe == JCK_PROBE_SHOWS ? value : best;
        }
    }
    if (best.len > 0) {
        memmove(text->ptr, best.ptr, best.len);
        jrpc_buffer_truncate(text, best.len);
    }
    jrpc_json_document_done(&document);
    return probe != JCK_PROBE_STOPS;
}

bool jck_lessen(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context)
{
    lessening self = {.try_text = try_text, .context = context};
    if (!hoist(&self, text)) {
        return false;
    }
    // Whole values first: brackets that belong together can only go together.
    (void)jck_reduce(text, probes_max, try_text, context);
    size_t len = text->len;
    jrpc_arena arena;
    jrpc_buffer tried;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jrpc_buffer_init(&tried, jrpc_allocator_heap(), len + 1);
    size_t *parts = jrpc_arena_array(&arena, len + 1, sizeof *parts);
    size_t *scratch = jrpc_arena_array(&arena, len + 1, sizeof *scratch);
    self.bytes = text->ptr;
    self.tried = &tried;
    self.on = parts != NULL && scratch != NULL;
    if (self.on) {
        for (size_t i = 0; i < len; i++) {
            parts[i] = i;
        }
        keep_parts(text, parts, jck_minimize(parts, len, scratch, probes_max, try_parts, &self));
    }
    jrpc_buffer_done(&tried);
    jrpc_arena_done(&arena);
    return self.on;
}
