// What went wrong, where, in one sentence. Filled once where it is detected, prefixed on the way
// up, never replaced.
#ifndef JRPC_BASE_ERROR_H
#define JRPC_BASE_ERROR_H

#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum jrpc_error_code {
    JRPC_OK = 0,
    JRPC_ERROR_SYNTAX,      // text that is not what its format demands
    JRPC_ERROR_LIMIT,       // a named limit was reached
    JRPC_ERROR_MEMORY,      // the allocator said no
    JRPC_ERROR_INVALID,     // well formed, but not allowed here
    JRPC_ERROR_SYSTEM,      // a system call failed
    JRPC_ERROR_TIMEOUT,     // a deadline passed
    JRPC_ERROR_CLOSED,      // the other side has gone
    JRPC_ERROR_INTERRUPTED, // a descriptor that asks to stop became readable
    JRPC_ERROR_USAGE,       // the caller's words are off (options, targets)
} jrpc_error_code;

typedef struct jrpc_error {
    jrpc_error_code code;
    char message[512]; // one sentence, printable, NUL-terminated
    char source[256];  // a file, "" if none
    size_t line;       // 1-based, 0 if unknown
    size_t column;     // 1-based, in bytes, 0 if unknown
    size_t offset;     // byte offset into the text, for code SYNTAX and LIMIT
} jrpc_error;

// Fills *error (NULL is allowed) unless it is filled already; always returns false, so that
// `return jrpc_error_set(…)` reads well. Bytes that are not printable ASCII or UTF-8 are replaced.
bool jrpc_error_set(jrpc_error *error, jrpc_error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same with a sentence of our own, printable and shorter than a message, that needs no
// formatting: streams of broken messages fill many errors.
bool jrpc_error_set_sentence(jrpc_error *error, jrpc_error_code code, const char *sentence);
// The same as jrpc_error_set with the text of errno after it.
bool jrpc_error_set_errno(jrpc_error *error, int errno_value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Puts words and ": " before the message. Returns false.
bool jrpc_error_prefix(jrpc_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Puts words after the message. Returns false.
bool jrpc_error_append(jrpc_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Names the file and turns `offset` into line and column of `text`. Returns false.
bool jrpc_error_locate(jrpc_error *error, const char *source, jrpc_slice text, size_t offset);
void jrpc_error_clear(jrpc_error *error);
// Line and column, both from 1, columns in bytes, of a byte offset of `text`.
void jrpc_text_position(jrpc_slice text, size_t offset, size_t *ret_line, size_t *ret_column);
// "source:line:column: message" (parts that are unknown left out) into `out`, NUL-terminated.
void jrpc_error_format(const jrpc_error *error, char *out, size_t out_size);

#endif
