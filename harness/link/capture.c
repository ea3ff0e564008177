#include "harness/link/capture.h"

#include "harness/suite/case.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"
#include "reference/wire/websocket_handshake.h"

#define HEADER_BYTES ((size_t)8 << 10)
#define NAME_BYTES 128
#define POINTERS_BYTES ((size_t)1 << 20)

static const jrpc_slice header_prefix = JRPC_SLICE_INIT("header:");

static void capture_header(const jck_capture *capture, const jck_heard *heard,
                           jck_variables *variables)
{
    jrpc_slice wanted = jrpc_slice_from(capture->from, header_prefix.len);
    char name[NAME_BYTES];
    if (wanted.len >= sizeof name) {
        return;
    }
    memcpy(name, wanted.ptr, wanted.len);
    name[wanted.len] = '\0';
    jrpc_slice value = jrpc_head_value(heard->received.http_headers, name);
    jrpc_buffer spelling;
    jrpc_buffer_init(&spelling, jrpc_allocator_heap(), HEADER_BYTES);
    if (value.ptr != NULL && jrpc_json_quote(&spelling, value)) {
        (void)jck_variables_capture(variables, capture->name, jrpc_buffer_slice(&spelling));
    }
    jrpc_buffer_done(&spelling);
}

// Whether an element has all the values in `where`.
static bool is_meant(jrpc_json element, jrpc_json where, jrpc_arena *arena)
{
    bool meant = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(where); meant && jrpc_json_step(&it);) {
        jrpc_slice pointer = {NULL, 0};
        bool absent = jrpc_json_exists(jrpc_json_get(it.value, "$absent"));
        meant = jrpc_json_string(it.key, arena, &pointer);
        jrpc_json value = meant ? jrpc_json_pointer(element, pointer) : JRPC_JSON_ABSENT;
        meant = meant && (absent ? !jrpc_json_exists(value)
                                 : jrpc_json_exists(value) && jrpc_json_equal(value, it.value));
    }
    return meant;
}

// The part of a value that is captured: the value itself, or a part of one of its elements.
static jrpc_json take(const jck_capture *capture, jrpc_json value, jrpc_arena *arena)
{
    if (!jrpc_json_exists(capture->where)) {
        return value;
    }
    jrpc_json taken = JRPC_JSON_ABSENT;
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         !jrpc_json_exists(taken) && jrpc_json_step(&it);) {
        if (is_meant(it.value, capture->where, arena)) {
            taken = jrpc_json_pointer(it.value, capture->take);
        }
    }
    return taken;
}

void jck_capture_from(const jck_step *step, const jck_heard *heard, jck_variables *variables)
{
    jrpc_arena arena; // of the pointers in `where`
    jrpc_arena_init(&arena, jrpc_allocator_heap(), POINTERS_BYTES);
    for (size_t i = 0; i < step->capture_count; i++) {
        const jck_capture *capture = &step->captures[i];
        if (jrpc_slice_starts_with(capture->from, header_prefix)) {
            capture_header(capture, heard, variables);
            continue;
        }
        jrpc_json value = take(capture, jrpc_json_pointer(heard->value, capture->from), &arena);
        if (jrpc_json_exists(value)) {
            (void)jck_variables_capture(variables, capture->name, jrpc_json_spelling(value));
        }
    }
    jrpc_arena_done(&arena);
}

typedef struct source {
    jck_variables *variables;
    jrpc_arena *arena;
} source;

// A captured value as a header carries it: the content of a String, any other value as spelled.
static bool resolve_text(void *context, jrpc_slice name, jrpc_slice *ret_text)
{
    const source *from = context;
    if (!jck_variables_resolve(from->variables, name, ret_text)) {
        return false;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, *ret_text, JCK_MESSAGE_DEPTH, NULL);
    if (read && jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_STRING)) {
        read = jrpc_json_string(jrpc_json_root(&document), from->arena, ret_text);
    }
    jrpc_json_document_done(&document);
    for (size_t i = 0; read && i < ret_text->len; i++) {
        unsigned char byte = (unsigned char)ret_text->ptr[i];
        read = byte >= ' ' && byte != 0x7F; // a line feed would begin another header
    }
    return read;
}

// One header with its names filled in, in the connection's memory; *ret stays NULL if a name in it
// was not captured yet, or its value cannot go into a header. False without memory.
static bool fill(jck_link *link, jck_connection *open, const char *text, const char **ret)
{
    const jck_payload payload = {.kind = JCK_PAYLOAD_TEXT, .text = jrpc_slice_str(text)};
    jrpc_buffer filled;
    jrpc_buffer_init(&filled, jrpc_allocator_heap(), HEADER_BYTES);
    jrpc_error error = {0};
    source from = {&link->captured, &open->header_texts};
    bool known = jck_payload_expand(&payload, resolve_text, &from, &filled, &error);
    jrpc_slice copy = {NULL, 0};
    bool done = !known || jrpc_arena_copy(&open->header_texts, jrpc_buffer_slice(&filled), &copy);
    *ret = copy.ptr;
    jrpc_buffer_done(&filled);
    return done;
}

static size_t count(const char *const *headers)
{
    size_t n = 0;
    while (headers != NULL && headers[n] != NULL) {
        n++;
    }
    return n;
}

bool jck_capture_into_headers(jck_link *link, char connection)
{
    const jck_target *target = link->target;
    jck_connection *open = jck_link_connection(link, connection);
    size_t plain = count(target->headers);
    size_t made = count(target->session_headers);
    if (made == 0) {
        return true;
    }
    const char **headers = jrpc_arena_array(&open->header_texts, plain + made + 1, sizeof *headers);
    if (headers == NULL) {
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < plain; i++) {
        headers[n++] = target->headers[i];
    }
    for (size_t i = 0; i < made; i++) {
        if (!fill(link, open, target->session_headers[i], &headers[n])) {
            return false;
        }
        n += headers[n] != NULL;
    }
    jrpc_peer_set_headers(open->peer, headers);
    return true;
}

bool jck_capture_for_connection(jck_link *link, char connection)
{
    jck_connection *open = jck_link_connection(link, connection);
    for (const jck_variable *from = link->captured.first; from != NULL; from = from->next) {
        jck_variable *copy = jrpc_arena_alloc(&open->header_texts, sizeof *copy);
        if (copy == NULL) {
            return false;
        }
        *copy = *from; // the spelling lives as long as the link
        copy->next = open->captured;
        open->captured = copy;
    }
    return true;
}
