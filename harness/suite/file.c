#include "harness/suite/file.h"

#include "harness/suite/embedded.h"
#include "reference/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What follows "builtin:" in a path; NULL for a path in the file system.
static const char *builtin(const char *path)
{
    size_t len = strlen(JCK_FILE_BUILTIN);
    return strncmp(path, JCK_FILE_BUILTIN, len) == 0 ? path + len : NULL;
}

// What follows FOLDER/ in the path of an embedded file; NULL if it lies elsewhere.
static const char *below(const jck_embedded_file *file, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(file->path, folder, len) == 0 && file->path[len] == '/' ? file->path + len + 1
                                                                           : NULL;
}

static const jck_embedded_file *find_embedded(const char *path)
{
    for (size_t i = 0; i < jck_embedded_count; i++) {
        if (strcmp(jck_embedded_files[i].path, path) == 0) {
            return &jck_embedded_files[i];
        }
    }
    return NULL;
}

static jck_file_kind kind_of_embedded(const char *path)
{
    for (size_t i = 0; i < jck_embedded_count; i++) {
        if (below(&jck_embedded_files[i], path) != NULL) {
            return JCK_FILE_FOLDER;
        }
    }
    return find_embedded(path) == NULL ? JCK_FILE_MISSING : JCK_FILE_PLAIN;
}

jck_file_kind jck_file_kind_of(const char *path)
{
    struct stat status;
    if (builtin(path) != NULL) {
        return kind_of_embedded(builtin(path));
    }
    if (stat(path, &status) != 0) {
        return JCK_FILE_MISSING;
    }
    return S_ISDIR(status.st_mode) ? JCK_FILE_FOLDER : JCK_FILE_PLAIN;
}

static bool refuse(const char *path, jrpc_error *error)
{
    (void)jrpc_error_locate(error, path, (jrpc_slice){NULL, 0}, 0);
    if (error != NULL) {
        error->line = 0;
        error->column = 0;
    }
    return false;
}

bool jck_file_read(const char *path, jrpc_buffer *out, jrpc_error *error)
{
    if (builtin(path) == NULL) {
        return jrpc_file_read(path, out, error);
    }
    const jck_embedded_file *file = find_embedded(builtin(path));
    if (file == NULL) {
        (void)jrpc_error_set_errno(error, ENOENT, "cannot open the file");
        return refuse(path, error);
    }
    if (!jrpc_buffer_append(out, jrpc_slice_of((const char *)file->bytes, file->len))) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for the file");
        return refuse(path, error);
    }
    return true;
}

typedef struct listing {
    const char *folder;
    jrpc_arena *arena;
    const char **names;
    size_t count;
    jrpc_error *error;
} listing;

static bool add(listing *list, jrpc_slice name)
{
    jrpc_slice copy;
    if (list->count == JCK_FILE_ENTRIES_MAX) {
        return jrpc_error_set(list->error, JRPC_ERROR_LIMIT,
                              "the folder %s has more than %u entries", list->folder,
                              JCK_FILE_ENTRIES_MAX);
    }
    if (!jrpc_arena_copy(list->arena, name, &copy)) {
        return jrpc_error_set(list->error, JRPC_ERROR_MEMORY, "no memory for a list of files");
    }
    list->names[list->count++] = copy.ptr;
    return true;
}

static bool list_directory(listing *list)
{
    DIR *stream = opendir(list->folder);
    if (stream == NULL) {
        return jrpc_error_set_errno(list->error, errno, "cannot open the folder %s", list->folder);
    }
    bool done = true;
    const struct dirent *entry;
    while (done && (entry = readdir(stream)) != NULL) {
        done = entry->d_name[0] == '.' || add(list, jrpc_slice_str(entry->d_name));
    }
    (void)closedir(stream);
    return done;
}

static bool list_embedded(listing *list, const char *folder)
{
    bool found = false;
    bool done = true;
    jrpc_slice last = {NULL, 0};
    for (size_t i = 0; done && i < jck_embedded_count; i++) {
        const char *rest = below(&jck_embedded_files[i], folder);
        if (rest == NULL) {
            continue;
        }
        found = true;
        jrpc_slice name = jrpc_slice_of(rest, strcspn(rest, "/"));
        // The files of one folder are adjacent.
        if (last.ptr == NULL || name.len != last.len || memcmp(name.ptr, last.ptr, name.len) != 0) {
            done = add(list, name);
        }
        last = name;
    }
    return done && (found || jrpc_error_set_errno(list->error, ENOENT, "cannot open the folder %s",
                                                  list->folder));
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a;
    const char *const *right = b;
    return strcmp(*left, *right);
}

bool jck_file_list(const char *folder, jrpc_arena *arena, const char ***ret_names,
                   size_t *ret_count, jrpc_error *error)
{
    listing list = {folder, arena, NULL, 0, error};
    list.names = jrpc_arena_array(arena, JCK_FILE_ENTRIES_MAX + 1, sizeof *list.names);
    if (list.names == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a list of files");
    }
    const char *inside = builtin(folder);
    if (!(inside == NULL ? list_directory(&list) : list_embedded(&list, inside))) {
        return false;
    }
    qsort(list.names, list.count, sizeof *list.names, compare_names);
    *ret_names = list.names;
    *ret_count = list.count;
    return true;
}
