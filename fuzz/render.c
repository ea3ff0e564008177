#include "fuzz/render.h"

#include "reference/json/read.h"

#include <stdlib.h>

enum { DEPTH = 64 };

void render_events_of(jrpc_slice text, render_events *ret_events)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    ret_events->count = 0;
    for (jrpc_slice line; ret_events->count < RENDER_LINES && jrpc_slice_take_line(&text, &line);) {
        if (jrpc_json_read(&document, line, DEPTH, NULL) &&
            jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_OBJECT)) {
            ret_events->lines[ret_events->count++] = line;
        }
    }
    jrpc_json_document_done(&document);
}

void render_runs_of(const render_events *events, runs *told)
{
    for (size_t i = 0; i < events->count; i++) {
        runs_tell(told, events->lines[i]);
    }
}

jck_report_options render_options_of(const fuzz_input *input)
{
    unsigned bits = input->options[1];
    return (jck_report_options){
        .verbose = (bits & RENDER_VERBOSE) != 0   ? 2
                   : (bits & RENDER_FAILING) != 0 ? 1
                                                  : 0,
        .quiet = (bits & RENDER_QUIET) != 0,
        .color = (bits & RENDER_COLOR) != 0,
        .terminal = (bits & RENDER_TERMINAL) != 0,
        .examples = (bits & RENDER_LINKS) != 0 ? 20 : 0,
        .links = (bits & RENDER_LINKS) != 0,
    };
}

// The buffer or arena that has less room than it was asked for, while a report is written short.
static struct {
    bool on;
    size_t which, room, asked;
} shortage;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker chooses these names (CMakeLists.txt).
void __wrap_jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum);
void __real_jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum);
void __wrap_jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit);
void __real_jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit);

void __wrap_jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit)
{
    bool is_short = shortage.on && shortage.asked++ == shortage.which;
    __real_jrpc_arena_init(arena, allocator, is_short ? shortage.room : limit);
}

void __wrap_jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum)
{
    bool is_short = shortage.on && shortage.asked++ == shortage.which;
    __real_jrpc_buffer_init(buffer, allocator, is_short ? shortage.room : maximum);
}
// NOLINTEND(bugprone-reserved-identifier)

// Whether the report says that it was written.
static bool write_to(FILE *out, const jck_report_format *format, const jck_report_options *options,
                     const render_events *events, int times)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    void *state = format->open(out, options);
    FUZZ_REQUIRE(state != NULL);
    for (size_t i = 0; i < events->count * (size_t)times; i++) {
        jrpc_slice line = events->lines[i % events->count];
        FUZZ_REQUIRE(jrpc_json_read(&document, line, DEPTH, NULL));
        FUZZ_REQUIRE(format->event(state, jrpc_json_root(&document), line, NULL));
    }
    jrpc_json_document_done(&document);
    jrpc_error error = {.code = JRPC_OK};
    bool ok = format->close(state, &error);
    FUZZ_REQUIRE(ok == (error.code == JRPC_OK));
    return ok;
}

jrpc_slice render(const jck_report_format *format, const jck_report_options *options,
                  const render_events *events, int times)
{
    // One for all executions: a new one costs more than most reports.
    static FILE *out;
    static char *text;
    static size_t len;
    if (out == NULL) {
        out = open_memstream(&text, &len);
    }
    FUZZ_REQUIRE(out != NULL && fseek(out, 0, SEEK_SET) == 0);
    FUZZ_REQUIRE(write_to(out, format, options, events, times));
    return jrpc_slice_of(text, (size_t)ftell(out));
}

void render_require_short(const jck_report_format *format, const jck_report_options *options,
                          const render_events *events, size_t which, size_t room, jrpc_slice whole)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    FUZZ_REQUIRE(out != NULL);
    jrpc_json_document documents[RENDER_LINES];
    for (size_t i = 0; i < events->count; i++) {
        jrpc_json_document_init(&documents[i], jrpc_allocator_heap());
        FUZZ_REQUIRE(jrpc_json_read(&documents[i], events->lines[i], DEPTH, NULL));
    }
    shortage.which = which;
    shortage.room = room;
    shortage.asked = 0;
    shortage.on = true;
    void *state = format->open(out, options);
    bool ok = state != NULL;
    for (size_t i = 0; ok && i < events->count; i++) {
        ok = format->event(state, jrpc_json_root(&documents[i]), events->lines[i], NULL);
    }
    ok = (state == NULL || format->close(state, NULL)) && ok;
    shortage.on = false;
    FUZZ_REQUIRE(fclose(out) == 0 && text != NULL);
    FUZZ_REQUIRE(!ok || (len == whole.len && (len == 0 || memcmp(text, whole.ptr, len) == 0)));
    free(text);
    for (size_t i = 0; i < events->count; i++) {
        jrpc_json_document_done(&documents[i]);
    }
}

void render_require_again(const fuzz_input *input, const jck_report_format *format,
                          const jck_report_options *options, const render_events *events, int times,
                          jrpc_slice text)
{
    if ((input->options[1] & RENDER_AGAIN) != 0 && text.len != 0) {
        char *kept = malloc(text.len);
        FUZZ_REQUIRE(kept != NULL);
        memcpy(kept, text.ptr, text.len);
        jrpc_slice again = render(format, options, events, times);
        FUZZ_REQUIRE(jrpc_slice_equal(again, jrpc_slice_of(kept, text.len)));
        free(kept);
        text = again;
    }
    if ((input->options[1] & RENDER_SHORT_FILE) != 0) {
        // From nothing but the last bytes missing to nothing at all; the stream itself needs a
        // byte.
        size_t room = 1 + text.len * input->options[2] / 256;
        FILE *out = fmemopen(NULL, room, "w");
        FUZZ_REQUIRE(out != NULL);
        bool ok = write_to(out, format, options, events, times);
        // Where it just fits, a NUL after it may not.
        FUZZ_REQUIRE(room > text.len ? ok : room == text.len || !ok);
        (void)fclose(out);
    }
}

// The lines of events are JSON that is nested less than TREE_DEPTH deep.
static bool is_start(tree_pool *pool, jrpc_slice line)
{
    return tree_is_text(tree_member(tree_read(pool, line), "event"), "start");
}

void render_require_worst(const jck_report_format *format, const jck_report_options *options,
                          const render_events *events)
{
    tree_pool pool = {NULL};
    render_events more = *events;
    size_t starts = 0;
    for (size_t i = 0; i < events->count && more.count < RENDER_LINES; i++) {
        starts += is_start(&pool, events->lines[i]) ? 1 : 0;
        if (starts == 1) {
            more.lines[more.count++] = events->lines[i];
        }
    }
    tree_pool_done(&pool);
    if (starts < 2) {
        return;
    }
    jrpc_buffer once;
    jrpc_buffer_init(&once, jrpc_allocator_heap(), SIZE_MAX);
    FUZZ_REQUIRE(jrpc_buffer_append(&once, render(format, options, events, 1)));
    FUZZ_REQUIRE(jrpc_slice_equal(render(format, options, &more, 1), jrpc_buffer_slice(&once)));
    jrpc_buffer_done(&once);
}
