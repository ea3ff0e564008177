// Files: read with a bound, written so that a half one never stands in its place. Whatever a path
// names, a regular file, a pipe or a device, nothing here blocks for ever or grows without end.
#ifndef JRPC_BASE_FILE_H
#define JRPC_BASE_FILE_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"

#include <stdio.h>

// How long a pipe may stay silent while we read from it.
#define JRPC_FILE_PATIENCE_MS 60000

// An open file to read from.
typedef struct jrpc_file_reader {
    const char *path; // borrowed, for errors
    int descriptor;
    bool pipe;
    bool owned;    // closed by jrpc_file_reader_done
    bool received; // something was read
} jrpc_file_reader;

// Opens a regular file, or a pipe. False with SYSTEM (it cannot be opened, or is a folder or a
// device); *ret_reader is then zeroed but for descriptor -1.
bool jrpc_file_reader_open(jrpc_file_reader *ret_reader, const char *path, jrpc_error *error);
// Reads from a descriptor that is open already (standard input), without a deadline.
void jrpc_file_reader_adopt(jrpc_file_reader *ret_reader, int descriptor, const char *name);
// Up to `size` bytes, 0 at the end. False with SYSTEM, INVALID (a pipe that ended without a byte)
// or TIMEOUT (a pipe that was silent for JRPC_FILE_PATIENCE_MS).
bool jrpc_file_reader_read(jrpc_file_reader *reader, char *out, size_t size, size_t *ret_len,
                           jrpc_error *error);
void jrpc_file_reader_done(jrpc_file_reader *reader);

// Appends all of a file. False as the functions above, with LIMIT when it is longer than the
// buffer's maximum, or with MEMORY. The error names the file as its source.
bool jrpc_file_read(const char *path, jrpc_buffer *out, jrpc_error *error);

// A file that is being written. A regular file (also one that does not exist yet) is written
// without a name and takes its place when it is complete, so that whatever ends this process leaves
// nothing half done; a pipe, a device or a symbolic link is written to as it is.
typedef struct jrpc_file_writer {
    FILE *stream; // to write to; owned
    char *path;   // owned
    char *beside; // owned; the name that it has, or gets, before it takes its place; NULL: in place
    bool unnamed;
} jrpc_file_writer;

// `in_place`: what is written is to be seen at once. False with SYSTEM or MEMORY; a pipe that
// nobody reads from is refused.
bool jrpc_file_writer_open(jrpc_file_writer *ret_writer, const char *path, bool in_place,
                           jrpc_error *error);
// Closes the stream; with `keep` puts the file in its place, else drops it (what was written in
// place stays). False with SYSTEM: the old file stands as it was. Frees the writer in any case.
bool jrpc_file_writer_done(jrpc_file_writer *writer, bool keep, jrpc_error *error);
// Makes a folder, and those above it that are not there yet. False with SYSTEM, or INVALID where
// the path is too long.
bool jrpc_file_make_folder(const char *path, jrpc_error *error);
// Writes a whole file. False with SYSTEM or MEMORY.
bool jrpc_file_replace(const char *path, jrpc_slice content, jrpc_error *error);

// The template of a path for mkstemp or mkdtemp, in the folder for temporary files: $TMPDIR, or
// /tmp where that is not set or does not fit. `size` is at least JRPC_FILE_TEMPORARY_LEAST.
#define JRPC_FILE_TEMPORARY_LEAST (sizeof "/tmp/jrpcheck-XXXXXX")
void jrpc_file_temporary(char *out, size_t size);

#endif
