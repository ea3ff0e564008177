#include "harness/cli/lines.h"

#include "reference/base/buffer.h"
#include "reference/base/file.h"
#include "reference/base/limits.h"

#include <string.h>
#include <unistd.h>

#define PIECE_BYTES 65536

// A stream that is being read.
typedef struct feeding {
    jck_take_line *take;
    void *context;
    const char *path;
    jrpc_buffer line; // the part of the current line read so far
    size_t number;    // of that line, from 1
    size_t most;      // number of lines wanted, 0: all
} feeding;

// Passes on the complete line. False with *error, which names the file and the line.
static bool feed_line(feeding *self, jrpc_error *error)
{
    self->number++;
    bool fed = self->line.len == 0 ||
               self->take(self->context, jrpc_buffer_slice(&self->line), error) ||
               jrpc_error_prefix(error, "%.200s:%zu", self->path, self->number);
    jrpc_buffer_clear(&self->line);
    return fed;
}

static bool is_enough(const feeding *self)
{
    return self->most > 0 && self->number >= self->most;
}

static bool feed_piece(feeding *self, jrpc_slice piece, jrpc_error *error)
{
    while (piece.len > 0 && !is_enough(self)) {
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

static bool feed(feeding *self, jrpc_file_reader *reader, jrpc_error *error)
{
    char piece[PIECE_BYTES];
    size_t len = 0;
    bool any = false;
    bool fed = true;
    do {
        fed = jrpc_file_reader_read(reader, piece, sizeof piece, &len, error) &&
              feed_piece(self, jrpc_slice_of(piece, len), error);
        any = any || len > 0;
    } while (fed && len > 0 && !is_enough(self));
    fed = fed && (self->line.len == 0 || is_enough(self) || feed_line(self, error));
    if (fed && !any) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "%.200s is empty: it is not an event stream (made with --report "
                              "ndjson=FILE)",
                              reader->path);
    }
    return fed;
}

const char *jck_lines_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool jck_lines_each(const char *path, size_t most, jck_take_line *take, void *context,
                    jrpc_error *error)
{
    jrpc_file_reader reader;
    bool standard = strcmp(path, "-") == 0;
    if (standard) {
        jrpc_file_reader_adopt(&reader, STDIN_FILENO, jck_lines_name(path));
    }
    feeding self = {.take = take, .context = context, .most = most};
    jrpc_buffer_init(&self.line, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    bool opened = standard || jrpc_file_reader_open(&reader, path, error);
    self.path = reader.path;
    bool fed = opened && feed(&self, &reader, error);
    jrpc_buffer_done(&self.line);
    jrpc_file_reader_done(&reader);
    return fed;
}
