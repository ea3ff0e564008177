#include "harness/cli/faults.h"

#include "harness/cli/data.h"
#include "reference/base/file.h"
#include "reference/net/peer.h"

#include <unistd.h>

#define FAULTS_BYTES ((size_t)4 << 20)
#define ASK_MS 10000

void jck_faults_done(jck_faults *faults)
{
    jrpc_arena_done(&faults->arena);
    *faults = (jck_faults){0};
}

const jck_fault_line *jck_faults_find(const jck_faults *faults, jrpc_slice name, jck_side side)
{
    for (size_t i = 0; i < faults->count; i++) {
        if (faults->items[i].side == side && jrpc_slice_equal(faults->items[i].name, name)) {
            return &faults->items[i];
        }
    }
    return NULL;
}

const char *jck_faults_program(jck_side side)
{
    switch (side) {
    case JCK_SIDE_SERVER:
        break;
    case JCK_SIDE_CLIENT:
        return "jrpc-reference-client";
    case JCK_SIDE_PARSER:
        return "jrpc-reference-parser";
    }
    return "jrpc-reference";
}

// Cuts off and returns what precedes the first tab.
static jrpc_slice take_field(jrpc_slice *line)
{
    const char *tab = line->len == 0 ? NULL : memchr(line->ptr, '\t', line->len);
    size_t len = tab == NULL ? line->len : (size_t)(tab - line->ptr);
    jrpc_slice field = jrpc_slice_of(line->ptr, len);
    *line = jrpc_slice_from(*line, tab == NULL ? len : len + 1);
    return field;
}

static size_t count_lines(jrpc_slice text)
{
    size_t count = 1;
    for (size_t i = 0; i < text.len; i++) {
        count += text.ptr[i] == '\n' ? 1 : 0;
    }
    return count;
}

// "name TAB rule TAB description", one per line; only the name is required.
static bool parse(jck_faults *faults, jrpc_slice text, jck_side side, jrpc_error *error)
{
    jrpc_slice rest = {NULL, 0};
    size_t before = faults->count;
    jck_fault_line *items =
        jrpc_arena_array(&faults->arena, before + count_lines(text), sizeof *items);
    if (items == NULL || !jrpc_arena_copy(&faults->arena, text, &rest)) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the list of faults");
    }
    for (size_t i = 0; i < before; i++) {
        items[i] = faults->items[i];
    }
    faults->items = items;
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end == NULL ? rest.len : (size_t)(end - rest.ptr);
        jrpc_slice line = jrpc_slice_of(rest.ptr, len);
        rest = jrpc_slice_from(rest, end == NULL ? len : len + 1);
        if (line.len > 0) {
            jck_fault_line *item = &faults->items[faults->count++];
            item->name = take_field(&line);
            item->rule = take_field(&line);
            item->description = line;
            item->side = side;
        }
    }
    faults->known[side] = true;
    return faults->count > before ||
           jrpc_error_set(error, JRPC_ERROR_SYNTAX, "the list of faults is empty");
}

// Reads everything that a program writes until it ends, line by line.
static bool listen_to(jrpc_peer *peer, int64_t deadline_us, jrpc_buffer *out, jrpc_error *error)
{
    for (;;) {
        jrpc_received received;
        switch (jrpc_peer_receive(peer, deadline_us, &received, error)) {
        case JRPC_PEER_MESSAGE:
        case JRPC_PEER_NOISE:
            (void)jrpc_buffer_append(out, received.bytes);
            (void)jrpc_buffer_append_char(out, '\n');
            break;
        case JRPC_PEER_SILENT:
        case JRPC_PEER_ENDED:
            return !out->failed ||
                   jrpc_error_set(error, JRPC_ERROR_LIMIT, "the list of faults is too long");
        case JRPC_PEER_TIMEOUT:
        case JRPC_PEER_INTERRUPTED:
        case JRPC_PEER_FAULT:
            return jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                                  "jrpc-reference --list-faults did not end");
        }
    }
}

static bool ask(const char *program, jrpc_buffer *out, jrpc_error *error)
{
    // argv of a new program is not const, but nothing writes to it.
    char list[] = "--list-faults";
    char path[4096];
    size_t len = strlen(program);
    if (len >= sizeof path) {
        return jrpc_error_set(error, JRPC_ERROR_SYSTEM, "the path of jrpc-reference is too long");
    }
    memcpy(path, program, len + 1);
    char *const argv[] = {path, list, NULL};
    const jrpc_endpoint endpoint = {
        .transport = JRPC_TRANSPORT_STDIO,
        .role = JRPC_ROLE_CLIENT,
        .framing = JRPC_FRAMING_LINE,
        .argv = argv,
        .interrupt_fd = -1,
        .allocator = jrpc_allocator_heap(),
        .clock = jrpc_clock_monotonic(),
    };
    int64_t deadline_us = jrpc_deadline_in_ms(endpoint.clock, ASK_MS);
    jrpc_peer *peer = jrpc_peer_open(&endpoint, deadline_us, error);
    bool heard = peer != NULL && listen_to(peer, deadline_us, out, error);
    jrpc_peer_close(peer, 1000);
    return heard;
}

// The bundled client and the bundled parser are not always built.
static bool load_of(jck_side side, jck_faults *faults, jck_options *options, jrpc_buffer *text,
                    jrpc_error *error)
{
    const char *program = jck_data_program(options, jck_faults_program(side));
    if (program == NULL || access(program, X_OK) != 0) {
        return true;
    }
    jrpc_buffer_clear(text);
    return ask(program, text, error) && parse(faults, jrpc_buffer_slice(text), side, error);
}

bool jck_faults_load(jck_faults *faults, jck_options *options, jrpc_error *error)
{
    *faults = (jck_faults){0};
    jrpc_arena_init(&faults->arena, jrpc_allocator_heap(), FAULTS_BYTES);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), FAULTS_BYTES / 4);
    bool done;
    if (options->faults != NULL) {
        done = jrpc_file_read(options->faults, &text, error);
    } else {
        const char *program = jck_data_program(options, "jrpc-reference");
        done = program != NULL ? ask(program, &text, error)
                               : jrpc_error_set(error, JRPC_ERROR_SYSTEM,
                                                "jrpc-reference is not found beside jrpcheck");
    }
    done = done && parse(faults, jrpc_buffer_slice(&text), JCK_SIDE_SERVER, error) &&
           (options->faults != NULL || (load_of(JCK_SIDE_CLIENT, faults, options, &text, error) &&
                                        load_of(JCK_SIDE_PARSER, faults, options, &text, error)));
    jrpc_buffer_done(&text);
    return done;
}
