#include "fuzz/folder.h"

#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 256, FILES = 64, SUBFOLDERS = 16 };

typedef struct layout {
    char path[PATH_BYTES];
    char files[FILES][PATH_BYTES];
    size_t file_count;
    char subfolders[SUBFOLDERS][PATH_BYTES];
    size_t subfolder_count;
} layout;

static layout *the_folder(void)
{
    static layout folder;
    return &folder;
}

void fuzz_folder_clear(void)
{
    layout *folder = the_folder();
    while (folder->file_count > 0) {
        folder->file_count--;
        FUZZ_REQUIRE(unlink(folder->files[folder->file_count]) == 0);
    }
}

static void remove_folder(void)
{
    layout *folder = the_folder();
    fuzz_folder_clear();
    while (folder->subfolder_count > 0) {
        (void)rmdir(folder->subfolders[--folder->subfolder_count]);
    }
    (void)rmdir(folder->path);
}

const char *fuzz_folder(void)
{
    layout *folder = the_folder();
    const char *places[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
    for (size_t i = 0; i < 3 && folder->path[0] == '\0'; i++) {
        if (places[i] == NULL || access(places[i], W_OK | X_OK) != 0) {
            continue;
        }
        (void)snprintf(folder->path, sizeof folder->path - 100, "%s/jrpc-fuzz-XXXXXX", places[i]);
        FUZZ_REQUIRE(mkdtemp(folder->path) != NULL && atexit(remove_folder) == 0);
    }
    FUZZ_REQUIRE(folder->path[0] != '\0');
    return folder->path;
}

// The subfolder of a name, made where it is not there.
static void make_subfolder(layout *folder, const char *path)
{
    const char *end = strrchr(path, '/');
    size_t len = (size_t)(end - path);
    if (len == strlen(folder->path)) {
        return;
    }
    for (size_t i = 0; i < folder->subfolder_count; i++) {
        if (strlen(folder->subfolders[i]) == len && memcmp(folder->subfolders[i], path, len) == 0) {
            return;
        }
    }
    FUZZ_REQUIRE(folder->subfolder_count < SUBFOLDERS);
    char *made = folder->subfolders[folder->subfolder_count++];
    memcpy(made, path, len);
    made[len] = '\0';
    FUZZ_REQUIRE(mkdir(made, 0700) == 0);
}

static bool is_listed(const layout *folder, const char *path)
{
    for (size_t i = 0; i < folder->file_count; i++) {
        if (strcmp(folder->files[i], path) == 0) {
            return true;
        }
    }
    return false;
}

void fuzz_folder_put(const char *name, jrpc_slice text)
{
    layout *folder = the_folder();
    char path[PATH_BYTES];
    int len = snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    FUZZ_REQUIRE(len > 0 && (size_t)len < sizeof path);
    make_subfolder(folder, path);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_REQUIRE(file >= 0);
    FUZZ_REQUIRE(text.len == 0 || write(file, text.ptr, text.len) == (ssize_t)text.len);
    FUZZ_REQUIRE(close(file) == 0);
    if (!is_listed(folder, path)) {
        FUZZ_REQUIRE(folder->file_count < FILES);
        memcpy(folder->files[folder->file_count++], path, (size_t)len + 1);
    }
}
