// Whole files: read into a buffer, replaced in one piece.
#ifndef JCK_CLI_FILE_H
#define JCK_CLI_FILE_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"

typedef enum jck_file_kind {
    JCK_FILE_MISSING,
    JCK_FILE_REGULAR, // also pipes and devices: something to read from
    JCK_FILE_FOLDER,
} jck_file_kind;

jck_file_kind jck_file_kind_of(const char *path);
// Appends the content of a file. False with SYSTEM (it cannot be read), LIMIT or MEMORY; the error
// names the file as its source.
bool jck_file_read(const char *path, jrpc_buffer *out, jrpc_error *error);
// Writes a file beside its place and renames it, so that the old one stays if anything goes wrong.
// False with SYSTEM or MEMORY.
bool jck_file_replace(const char *path, jrpc_slice content, jrpc_error *error);

#endif
