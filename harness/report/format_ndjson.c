// The event stream itself, line by line: for tools, and for every other report later.
#include "harness/report/formats.h"
#include "reference/base/allocator.h"

typedef struct ndjson {
    FILE *out;
} ndjson;

static void *open_stream(FILE *out, const jck_report_options *options)
{
    (void)options;
    ndjson *state = jrpc_allocate(jrpc_allocator_heap(), sizeof *state);
    if (state != NULL) {
        state->out = out;
    }
    return state;
}

// Each line is written at once, so that a run that dies leaves everything it had reported.
static bool copy_line(void *state, jrpc_json event, jrpc_slice line, jrpc_error *error)
{
    (void)event;
    (void)error;
    ndjson *stream = state;
    (void)fwrite(line.ptr, 1, line.len, stream->out);
    (void)fputc('\n', stream->out);
    (void)fflush(stream->out);
    return true;
}

static bool close_stream(void *state, jrpc_error *error)
{
    ndjson *stream = state;
    bool ok = fflush(stream->out) == 0 && !ferror(stream->out);
    jrpc_deallocate(jrpc_allocator_heap(), stream);
    return ok || jrpc_error_set(error, JRPC_ERROR_SYSTEM,
                                "the event stream could not be written (a full disk, or a reader "
                                "that has gone)");
}

const jck_report_format jck_format_ndjson = {
    .name = "ndjson",
    .summary = "the event stream itself, one JSON object a line",
    .in_place = true,
    .open = open_stream,
    .event = copy_line,
    .close = close_stream,
};
