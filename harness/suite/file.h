// The files of the suite, in the file system or in the copy that a program may carry.
//
// A program built with JRPC_EMBED has the data of the project in itself: "builtin:/cases/…" are
// paths in there. All functions take such a path like any other.
#ifndef JCK_SUITE_FILE_H
#define JCK_SUITE_FILE_H

#include "reference/base/arena.h"
#include "reference/base/buffer.h"
#include "reference/base/error.h"

#define JCK_FILE_BUILTIN "builtin:"
// Most entries that a folder may have.
#define JCK_FILE_ENTRIES_MAX 4096u

typedef enum jck_file_kind {
    JCK_FILE_MISSING,
    JCK_FILE_PLAIN, // also pipes and devices: something to read from
    JCK_FILE_FOLDER,
} jck_file_kind;

jck_file_kind jck_file_kind_of(const char *path);
// Appends the content of a file, as jrpc_file_read.
bool jck_file_read(const char *path, jrpc_buffer *out, jrpc_error *error);
// The names in a folder in order, without hidden ones, NULL-terminated, in the arena. False with
// SYSTEM (it cannot be read), LIMIT (it has too many entries) or MEMORY.
bool jck_file_list(const char *folder, jrpc_arena *arena, const char ***ret_names,
                   size_t *ret_count, jrpc_error *error);

#endif
