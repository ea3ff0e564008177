// Writing files so that a half one never stands in its place.
#include "reference/base/file.h"
#include "reference/base/os_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 4096

static bool refuse(const char *path, int reason, jrpc_error *error)
{
    if (reason == ENXIO) {
        return jrpc_error_set(error, JRPC_ERROR_SYSTEM,
                              "cannot write %.200s: nobody reads from this pipe", path);
    }
    return jrpc_error_set_errno(error, reason, "cannot write %.200s", path);
}

// A place that rename would replace by something of another kind is written directly.
static bool is_special(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

// Opens what is there, or makes it. Without O_NONBLOCK a pipe that nobody reads from would hold us.
static int open_in_place(const char *path)
{
    int descriptor =
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    int flags = descriptor < 0 ? -1 : fcntl(descriptor, F_GETFL);
    if (flags >= 0) {
        (void)fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
    }
    return descriptor;
}

// The folder of `path` in writable storage of the same size.
static void folder_of(const char *path, char *out)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    memcpy(out, path, len);
    out[len] = '\0';
}

static int open_beside(jrpc_file_writer *writer)
{
    folder_of(writer->path, writer->beside);
    int descriptor = jrpc_os_open_unnamed(writer->beside[0] == '\0' ? "." : writer->beside);
    writer->unnamed = descriptor >= 0;
    size_t size = strlen(writer->path) + sizeof ".part-" + 24;
    (void)snprintf(writer->beside, size, "%s.part-%ld", writer->path, (long)getpid());
    return writer->unnamed ? descriptor
                           : open(writer->beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static void free_writer(jrpc_file_writer *writer)
{
    free(writer->path);
    free(writer->beside);
    *writer = (jrpc_file_writer){0};
}

bool jrpc_file_writer_open(jrpc_file_writer *ret_writer, const char *path, bool in_place,
                           jrpc_error *error)
{
    size_t len = strlen(path);
    bool direct = in_place || is_special(path);
    *ret_writer = (jrpc_file_writer){.path = malloc(len + 1)};
    ret_writer->beside = direct ? NULL : malloc(len + sizeof ".part-" + 24);
    if (ret_writer->path == NULL || (!direct && ret_writer->beside == NULL)) {
        free_writer(ret_writer);
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory to write %.200s", path);
    }
    memcpy(ret_writer->path, path, len + 1);
    int descriptor = direct ? open_in_place(path) : open_beside(ret_writer);
    if (descriptor < 0) {
        int reason = errno;
        free_writer(ret_writer);
        return refuse(path, reason, error);
    }
    ret_writer->stream = fdopen(descriptor, "w");
    if (ret_writer->stream == NULL) {
        (void)close(descriptor);
        if (ret_writer->beside != NULL && !ret_writer->unnamed) {
            (void)unlink(ret_writer->beside);
        }
        free_writer(ret_writer);
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory to write %.200s", path);
    }
    return true;
}

// Gives the file that is written its place. 0 or an errno value.
static int settle(const jrpc_file_writer *writer)
{
    if (writer->unnamed) {
        (void)unlink(writer->beside);
        if (!jrpc_os_name_file(fileno(writer->stream), writer->beside)) {
            return errno;
        }
    }
    return rename(writer->beside, writer->path) == 0 ? 0 : errno;
}

bool jrpc_file_writer_done(jrpc_file_writer *writer, bool keep, jrpc_error *error)
{
    errno = 0;
    bool written = fflush(writer->stream) == 0 && ferror(writer->stream) == 0;
    int failure = written ? 0 : errno == 0 ? EIO : errno;
    if (failure == 0 && keep && writer->beside != NULL) {
        failure = settle(writer);
    }
    if (fclose(writer->stream) != 0 && failure == 0) {
        failure = errno;
    }
    if (writer->beside != NULL && (failure != 0 || !keep)) {
        (void)unlink(writer->beside);
    }
    bool done = failure == 0 || refuse(writer->path, failure, error);
    free_writer(writer);
    return done;
}

bool jrpc_file_replace(const char *path, jrpc_slice content, jrpc_error *error)
{
    jrpc_file_writer writer;
    if (!jrpc_file_writer_open(&writer, path, false, error)) {
        return false;
    }
    // What goes wrong here is found when the stream is closed.
    (void)fwrite(content.ptr, 1, content.len, writer.stream);
    return jrpc_file_writer_done(&writer, true, error);
}

bool jrpc_file_make_folder(const char *path, jrpc_error *error)
{
    char above[PATH_BYTES];
    size_t len = strlen(path);
    if (len >= sizeof above) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "a folder has too long a name");
    }
    for (size_t end = 1; end <= len; end++) {
        if (end < len && path[end] != '/') {
            continue;
        }
        memcpy(above, path, end);
        above[end] = '\0';
        struct stat status;
        // Whether it is there first: a folder on a file system that cannot be written to may be.
        if (stat(above, &status) == 0 && S_ISDIR(status.st_mode)) {
            continue;
        }
        if (mkdir(above, 0777) != 0 && errno != EEXIST) {
            return jrpc_error_set_errno(error, errno, "cannot make the folder %.200s", above);
        }
    }
    return true;
}
