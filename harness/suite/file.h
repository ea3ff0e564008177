// The files of the suite, in the file system or embedded in the program.
//
// A program built with JRPC_EMBED contains the data of the project: "builtin:/cases/…" are paths in
// it. All functions take such a path like any other.
#ifndef JCK_SUITE_FILE_H
#define JCK_SUITE_FILE_H

#include "reference/base/arena.h"
#include "reference/base/buffer.h"
#include "reference/base/error.h"

#define JCK_FILE_BUILTIN "builtin:"
// The most entries that a folder may have.
#define JCK_FILE_ENTRIES_MAX 4096u

typedef enum jck_file_kind {
    JCK_FILE_MISSING,
    JCK_FILE_PLAIN, // also pipes and devices: anything that can be read
    JCK_FILE_FOLDER,
} jck_file_kind;

jck_file_kind jck_file_kind_of(const char *path);
// Appends the content of a file. Fails as jrpc_file_read does.
bool jck_file_read(const char *path, jrpc_buffer *out, jrpc_error *error);
// The names in a folder, sorted, without hidden ones, NULL-terminated, in the arena. False with
// SYSTEM (it cannot be read), LIMIT (it has too many entries) or MEMORY.
bool jck_file_list(const char *folder, jrpc_arena *arena, const char ***ret_names,
                   size_t *ret_count, jrpc_error *error);

#endif
