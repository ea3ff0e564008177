#include "harness/cli/commands.h"
#include "harness/cli/file_uses.h"
#include "harness/cli/outputs.h"
#include "harness/cli/words.h"
#include "reference/base/file.h"
#include "reference/base/limits.h"

#include <unistd.h>

#define PIECE_BYTES 65536

// One stream on its way to the reports.
typedef struct feeding {
    jck_reports *reports;
    const char *path;
    jrpc_buffer line; // what has come of the line that is being read
    size_t number;    // of that line, from 1
} feeding;

// Hands over the line that is complete. False with *error, which says the file and the line.
static bool feed_line(feeding *self, jrpc_error *error)
{
    self->number++;
    bool fed = self->line.len == 0 ||
               jck_reports_feed(self->reports, jrpc_buffer_slice(&self->line), error) ||
               jrpc_error_prefix(error, "%.200s:%zu", self->path, self->number);
    jrpc_buffer_clear(&self->line);
    return fed;
}

static bool feed_piece(feeding *self, jrpc_slice piece, jrpc_error *error)
{
    while (piece.len > 0) {
        const char *end = memchr(piece.ptr, '\n', piece.len);
        size_t len = end == NULL ? piece.len : (size_t)(end - piece.ptr);
        if (!jrpc_buffer_append(&self->line, jrpc_slice_of(piece.ptr, len))) {
            (void)jrpc_error_set(error, JRPC_ERROR_LIMIT, "the line is too long for an event");
            return jrpc_error_prefix(error, "%.200s:%zu", self->path, self->number + 1);
        }
        if (end != NULL && !feed_line(self, error)) {
            return false;
        }
        piece = jrpc_slice_from(piece, end == NULL ? len : len + 1);
    }
    return true;
}

// Feeds all that a reader gives, line by line.
static bool feed(jck_reports *reports, jrpc_file_reader *reader, jrpc_error *error)
{
    feeding self = {.reports = reports, .path = reader->path};
    char piece[PIECE_BYTES];
    size_t len = 0;
    bool any = false;
    bool fed = true;
    jrpc_buffer_init(&self.line, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    do {
        fed = jrpc_file_reader_read(reader, piece, sizeof piece, &len, error) &&
              feed_piece(&self, jrpc_slice_of(piece, len), error);
        any = any || len > 0;
    } while (fed && len > 0);
    fed = fed && (self.line.len == 0 || feed_line(&self, error));
    jrpc_buffer_done(&self.line);
    if (fed && !any) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "%.200s is empty: it holds no event stream (made by --report "
                              "ndjson=FILE)",
                              reader->path);
    }
    return fed;
}

static bool feed_file(jck_reports *reports, const char *path, jrpc_error *error)
{
    jrpc_file_reader reader;
    bool standard = strcmp(path, "-") == 0;
    if (standard) {
        jrpc_file_reader_adopt(&reader, STDIN_FILENO, "standard input");
    }
    bool fed =
        (standard || jrpc_file_reader_open(&reader, path, error)) && feed(reports, &reader, error);
    jrpc_file_reader_done(&reader);
    return fed;
}

// Whether no report would be written over a stream that it is made of, or over another one.
static bool check_files(jck_options *options)
{
    jrpc_error error = {0};
    jck_file_uses uses;
    jck_file_uses_init(&uses, &options->arena);
    jck_file_uses_of_options(&uses, options);
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *path = options->operands.items[i];
        if (strcmp(path, "-") == 0) {
            jck_file_uses_read_from(&uses, "standard input", STDIN_FILENO);
        } else {
            jck_file_uses_read(&uses, "the stream", path);
        }
    }
    return jck_file_uses_check(&uses, &error) || jck_complain(&error);
}

jck_exit jck_cmd_report(jck_options *options)
{
    if (options->operands.count == 0 || options->behind != NULL) {
        (void)jck_complain_of("no event stream is named; write jrpcheck report run.ndjson --report "
                              "junit=run.xml");
        return JCK_EXIT_USAGE;
    }
    if (options->since != NULL && options->operands.count != 1) {
        (void)jck_complain_of("--since compares two runs; name one stream: jrpcheck report --since "
                              "old.ndjson new.ndjson");
        return JCK_EXIT_USAGE;
    }
    if (!check_files(options)) {
        return JCK_EXIT_USAGE;
    }
    jrpc_error error = {0};
    jck_reports *reports = jck_outputs_open(options, options->verbose, &error);
    if (reports == NULL) {
        (void)jck_complain(&error);
        return JCK_EXIT_USAGE;
    }
    jck_exit status = JCK_EXIT_CONFORMANT;
    if (options->since != NULL && !feed_file(reports, options->since, &error)) {
        (void)jck_complain(&error);
        status = JCK_EXIT_USAGE;
    }
    for (size_t i = 0; i < options->operands.count && status == JCK_EXIT_CONFORMANT; i++) {
        if (!feed_file(reports, options->operands.items[i], &error)) {
            (void)jck_complain(&error);
            status = JCK_EXIT_USAGE;
        }
    }
    jrpc_error closing = {0};
    if (!jck_reports_close(reports, &closing) && status == JCK_EXIT_CONFORMANT) {
        (void)jck_complain(&closing);
        status = jck_exit_of(&closing);
    }
    return status;
}
