#include "harness/cli/file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

jck_file_kind jck_file_kind_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return JCK_FILE_MISSING;
    }
    return S_ISDIR(status.st_mode) ? JCK_FILE_FOLDER : JCK_FILE_REGULAR;
}

static bool refuse(jrpc_error *error, const char *path, int reason, const char *what)
{
    (void)jrpc_error_set_errno(error, reason, "%s", what);
    (void)jrpc_error_locate(error, path, (jrpc_slice){NULL, 0}, 0);
    if (error != NULL) {
        error->line = 0;
        error->column = 0;
    }
    return false;
}

bool jck_file_read(const char *path, jrpc_buffer *out, jrpc_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return refuse(error, path, errno, "cannot open the file");
    }
    char chunk[16384];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0 &&
           jrpc_buffer_append(out, jrpc_slice_of(chunk, got))) {
    }
    int reason = ferror(stream) != 0 ? errno : 0;
    (void)fclose(stream);
    if (reason != 0) {
        return refuse(error, path, reason, "cannot read the file");
    }
    if (out->failed) {
        return jrpc_error_set(error, JRPC_ERROR_LIMIT,
                              "%.200s is longer than the %zu bytes that such a file may have", path,
                              out->maximum);
    }
    return true;
}

static bool write_stream(FILE *stream, jrpc_slice content)
{
    bool written = fwrite(content.ptr, 1, content.len, stream) == content.len;
    written = fflush(stream) == 0 && written;
    return fclose(stream) == 0 && written;
}

// A device or a pipe cannot be replaced: it is written to.
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool write_into(const char *path, jrpc_slice content, jrpc_error *error)
{
    FILE *stream = fopen(path, "wb");
    errno = stream == NULL ? errno : 0;
    return (stream != NULL && write_stream(stream, content)) ||
           refuse(error, path, errno, "cannot write the file");
}

bool jck_file_replace(const char *path, jrpc_slice content, jrpc_error *error)
{
    if (is_special(path)) {
        return write_into(path, content, error);
    }
    char beside[4096];
    int len = snprintf(beside, sizeof beside, "%s.new-%ld", path, (long)getpid());
    if (len < 0 || (size_t)len >= sizeof beside) {
        return refuse(error, path, ENAMETOOLONG, "cannot write the file");
    }
    FILE *stream = fopen(beside, "wbx");
    if (stream == NULL) {
        return refuse(error, path, errno, "cannot write the file");
    }
    errno = 0;
    if (!write_stream(stream, content) || rename(beside, path) != 0) {
        int reason = errno;
        (void)unlink(beside);
        return refuse(error, path, reason, "cannot write the file");
    }
    return true;
}
