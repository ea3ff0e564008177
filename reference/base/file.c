#include "reference/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names the file that an error is about. False.
static bool about(const char *path, jrpc_error *error)
{
    (void)jrpc_error_locate(error, path, (jrpc_slice){NULL, 0}, 0);
    if (error != NULL) {
        error->line = 0;
        error->column = 0;
    }
    return false;
}

static bool refuse_errno(const char *path, int reason, const char *what, jrpc_error *error)
{
    (void)jrpc_error_set_errno(error, reason, "%s", what);
    return about(path, error);
}

bool jrpc_file_reader_open(jrpc_file_reader *ret_reader, const char *path, jrpc_error *error)
{
    *ret_reader = (jrpc_file_reader){.path = path, .descriptor = -1};
    // Without O_NONBLOCK a named pipe that nobody writes to would hold us here.
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        int reason = errno;
        if (descriptor >= 0) {
            (void)close(descriptor);
        }
        return refuse_errno(path, reason, "cannot open the file", error);
    }
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) {
        (void)close(descriptor);
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "this is a %s, not a file",
                             S_ISDIR(status.st_mode) ? "folder" : "device");
        return about(path, error);
    }
    ret_reader->descriptor = descriptor;
    ret_reader->pipe = !S_ISREG(status.st_mode);
    ret_reader->owned = true;
    return true;
}

void jrpc_file_reader_adopt(jrpc_file_reader *ret_reader, int descriptor, const char *name)
{
    *ret_reader = (jrpc_file_reader){.path = name, .descriptor = descriptor};
}

static bool await_bytes(const jrpc_file_reader *reader, jrpc_error *error)
{
    struct pollfd entry = {.fd = reader->descriptor, .events = POLLIN};
    int ready;
    do {
        ready = poll(&entry, 1, JRPC_FILE_PATIENCE_MS);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                             "nothing came through this pipe for %d seconds",
                             JRPC_FILE_PATIENCE_MS / 1000);
        return about(reader->path, error);
    }
    return ready > 0 || refuse_errno(reader->path, errno, "cannot read the file", error);
}

bool jrpc_file_reader_read(jrpc_file_reader *reader, char *out, size_t size, size_t *ret_len,
                           jrpc_error *error)
{
    for (;;) {
        ssize_t got = read(reader->descriptor, out, size);
        if (got == 0 && reader->pipe && !reader->received) {
            (void)jrpc_error_set(error, JRPC_ERROR_INVALID,
                                 "this is a pipe that nobody has written to");
            return about(reader->path, error);
        }
        if (got >= 0) {
            reader->received = reader->received || got > 0;
            *ret_len = (size_t)got;
            return true;
        }
        bool later = errno == EAGAIN || errno == EWOULDBLOCK;
        if (later && !await_bytes(reader, error)) {
            return false;
        }
        if (!later && errno != EINTR) {
            return refuse_errno(reader->path, errno, "cannot read the file", error);
        }
    }
}

void jrpc_file_reader_done(jrpc_file_reader *reader)
{
    if (reader->owned) {
        (void)close(reader->descriptor);
    }
    *reader = (jrpc_file_reader){.descriptor = -1};
}

static bool read_all(jrpc_file_reader *reader, jrpc_buffer *out, jrpc_error *error)
{
    char chunk[16384];
    size_t got;
    do {
        if (!jrpc_file_reader_read(reader, chunk, sizeof chunk, &got, error)) {
            return false;
        }
    } while (got > 0 && jrpc_buffer_append(out, jrpc_slice_of(chunk, got)));
    if (out->failed && out->len + sizeof chunk > out->maximum) {
        (void)jrpc_error_set(error, JRPC_ERROR_LIMIT,
                             "the file is longer than the %zu bytes that it may have",
                             out->maximum);
        return about(reader->path, error);
    }
    return !out->failed || jrpc_error_set(error, JRPC_ERROR_MEMORY,
                                          "out of memory while reading %.200s", reader->path);
}

bool jrpc_file_read(const char *path, jrpc_buffer *out, jrpc_error *error)
{
    jrpc_file_reader reader;
    bool done = jrpc_file_reader_open(&reader, path, error) && read_all(&reader, out, error);
    jrpc_file_reader_done(&reader);
    return done;
}

void jrpc_file_temporary(char *out, size_t size)
{
    const char *folder = getenv("TMPDIR");
    int len = snprintf(out, size, "%s/jrpcheck-XXXXXX",
                       folder == NULL || folder[0] == '\0' ? "/tmp" : folder);
    if (len < 0 || (size_t)len >= size) {
        (void)snprintf(out, size, "/tmp/jrpcheck-XXXXXX");
    }
}
