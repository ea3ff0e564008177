#include "reference/wire/sse.h"

// A line is its field name and the data: a little more than a message.
enum { FIELD_BYTES = 64 };

void jrpc_sse_init(jrpc_sse *sse, size_t max_message, const jrpc_allocator *allocator)
{
    *sse = (jrpc_sse){.taken = false};
    jrpc_buffer_init(&sse->line, allocator, max_message + FIELD_BYTES);
    jrpc_buffer_init(&sse->data, allocator, max_message + 1);
}

void jrpc_sse_done(jrpc_sse *sse)
{
    jrpc_buffer_done(&sse->line);
    jrpc_buffer_done(&sse->data);
}

void jrpc_sse_clear(jrpc_sse *sse)
{
    jrpc_buffer_clear(&sse->line);
    jrpc_buffer_clear(&sse->data);
    sse->taken = sse->after_cr = sse->begun = sse->oversize = false;
}

static void skip_mark(jrpc_sse *sse)
{
    if (!sse->begun) {
        sse->begun = true;
        if (jrpc_slice_starts_with(jrpc_buffer_slice(&sse->line), JRPC_SLICE("\xEF\xBB\xBF"))) {
            jrpc_buffer_consume(&sse->line, 3);
        }
    }
}

// Takes the line that was just completed. True if it ended an event that has data.
static bool end_line(jrpc_sse *sse)
{
    skip_mark(sse);
    jrpc_slice line = jrpc_buffer_slice(&sse->line);
    if (line.len == 0) {
        if (sse->oversize) {
            sse->oversize = false;
            jrpc_buffer_clear(&sse->data);
        }
        return sse->data.len > 0;
    }
    static const jrpc_slice field = JRPC_SLICE_INIT("data");
    bool is_data = jrpc_slice_starts_with(line, field) &&
                   (line.len == field.len || line.ptr[field.len] == ':');
    if (is_data && !sse->oversize) {
        jrpc_slice value = jrpc_slice_from(line, field.len + 1);
        value = jrpc_slice_from(value, value.len > 0 && value.ptr[0] == ' ' ? 1 : 0);
        jrpc_buffer_append(&sse->data, value);
        jrpc_buffer_append_char(&sse->data, '\n');
    }
    return false;
}

// Whether the event at hand has just outgrown what may be kept of it.
static bool outgrown(jrpc_sse *sse)
{
    bool within_line = sse->line.failed;
    bool full = within_line || sse->data.failed;
    if (full) {
        jrpc_buffer_clear(&sse->line);
        jrpc_buffer_clear(&sse->data);
    }
    if (within_line) {
        // What is left of the line is a comment: were it empty, its end would end the event.
        jrpc_buffer_append_char(&sse->line, ':');
    }
    bool first = full && !sse->oversize;
    sse->oversize = sse->oversize || full;
    return first;
}

jrpc_decoded jrpc_sse_next(jrpc_sse *sse, jrpc_slice *input, jrpc_slice *ret_data,
                           jrpc_error *error)
{
    if (sse->taken) {
        jrpc_buffer_clear(&sse->data);
        sse->taken = false;
    }
    while (input->len > 0) {
        char byte = input->ptr[0];
        *input = jrpc_slice_from(*input, 1);
        bool joined = byte == '\n' && sse->after_cr;
        sse->after_cr = byte == '\r';
        if (joined) {
            continue;
        }
        bool complete = false;
        if (byte == '\n' || byte == '\r') {
            complete = end_line(sse);
            jrpc_buffer_clear(&sse->line);
        } else {
            jrpc_buffer_append_char(&sse->line, byte);
        }
        if (outgrown(sse)) {
            (void)jrpc_error_set(error, JRPC_ERROR_LIMIT,
                                 "the event is longer than a message may be");
            *ret_data = (jrpc_slice){NULL, 0};
            return JRPC_DECODED_BAD;
        }
        if (complete) {
            *ret_data = jrpc_slice_of(sse->data.ptr, sse->data.len - 1);
            sse->taken = true;
            return JRPC_DECODED_DONE;
        }
    }
    return JRPC_DECODED_MORE;
}

bool jrpc_sse_encode(jrpc_slice data, jrpc_buffer *out)
{
    jrpc_buffer_append_str(out, "data: ");
    for (size_t i = 0; i < data.len; i++) {
        // A bare CR would end the line too; JSON has none outside of insignificant white space.
        if (data.ptr[i] == '\n' || data.ptr[i] == '\r') {
            jrpc_buffer_append_str(out, "\ndata: ");
        } else {
            jrpc_buffer_append_char(out, data.ptr[i]);
        }
    }
    return jrpc_buffer_append_str(out, "\n\n");
}
