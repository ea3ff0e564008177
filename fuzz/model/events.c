#include "fuzz/model/events.h"

typedef struct event {
    char *data; // as long as the stream, so that it always fits
    size_t len;
    bool begun, refused;
} event;

// The length of the line at the front, without its end; `len` if it has none.
static size_t line_length(jrpc_slice stream)
{
    size_t len = 0;
    while (len < stream.len && stream.ptr[len] != '\n' && stream.ptr[len] != '\r') {
        len++;
    }
    return len;
}

static void add_data(event *e, jrpc_slice value)
{
    if (e->begun) {
        e->data[e->len++] = '\n';
    }
    if (value.len != 0) {
        memcpy(e->data + e->len, value.ptr, value.len);
    }
    e->len += value.len;
    e->begun = true;
}

static void refuse(event *e, frames *list, tree_pool *pool)
{
    if (!e->refused) {
        frames_add(list, pool, false, (jrpc_slice){NULL, 0}, JRPC_ERROR_LIMIT);
    }
    e->refused = true;
}

static void take_line(event *e, jrpc_slice line, size_t max_message, frames *list, tree_pool *pool)
{
    if (jrpc_slice_is(line, "data")) {
        add_data(e, (jrpc_slice){NULL, 0});
    } else if (jrpc_slice_starts_with(line, JRPC_SLICE("data: "))) {
        add_data(e, jrpc_slice_from(line, 6));
    } else if (jrpc_slice_starts_with(line, JRPC_SLICE("data:"))) {
        add_data(e, jrpc_slice_from(line, 5));
    }
    if (e->len > max_message) {
        refuse(e, list, pool);
    }
}

void events_expected(frames *list, tree_pool *pool, jrpc_slice stream, size_t max_message)
{
    frames_init(list);
    event e = {.data = tree_alloc(pool, stream.len + 1)};
    size_t mark = jrpc_slice_starts_with(stream, JRPC_SLICE("\xEF\xBB\xBF")) ? 3 : 0;
    for (bool first = true; stream.len != 0; first = false) {
        size_t len = line_length(stream);
        if (len > max_message + EVENTS_FIELD_BYTES) {
            refuse(&e, list, pool);
        }
        if (len == stream.len) {
            return; // a line without an end tells nothing
        }
        jrpc_slice line = jrpc_slice_of(stream.ptr, len);
        line = jrpc_slice_from(line, first ? mark : 0);
        bool pair = stream.ptr[len] == '\r' && len + 1 < stream.len && stream.ptr[len + 1] == '\n';
        stream = jrpc_slice_from(stream, len + (pair ? 2 : 1));
        if (line.len != 0) {
            take_line(&e, line, max_message, list, pool);
            continue;
        }
        if (e.begun && !e.refused) {
            frames_add(list, pool, true, jrpc_slice_of(e.data, e.len), JRPC_OK);
        }
        e.len = 0;
        e.begun = e.refused = false;
    }
}
