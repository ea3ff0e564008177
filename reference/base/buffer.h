// A byte string that grows, with a maximum it never passes. Growth past the maximum, or a failing
// allocator, makes the append fail and leaves the content as it was.
#ifndef JRPC_BASE_BUFFER_H
#define JRPC_BASE_BUFFER_H

#include "reference/base/allocator.h"
#include "reference/base/slice.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jrpc_buffer {
    const jrpc_allocator *allocator; // borrowed
    char *ptr;                       // owned
    size_t len;
    size_t capacity;
    size_t maximum; // bytes
    bool failed;    // an append failed since init or clear: checked once at the end of a chain
} jrpc_buffer;

void jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum);
void jrpc_buffer_done(jrpc_buffer *buffer);  // accepts a zeroed buffer
void jrpc_buffer_clear(jrpc_buffer *buffer); // len 0 and failed false; keeps the memory

// The content; borrowed until the buffer is changed.
static inline jrpc_slice jrpc_buffer_slice(const jrpc_buffer *buffer)
{
    return (jrpc_slice){buffer->ptr, buffer->len};
}

// Each returns false, and sets `failed`, when the maximum is reached or memory is out. After a
// failure all later appends fail too, so a chain is checked once.
bool jrpc_buffer_append_slowly(jrpc_buffer *buffer, jrpc_slice bytes); // may make room
static inline bool jrpc_buffer_append(jrpc_buffer *buffer, jrpc_slice bytes)
{
    // Without a call where there is room, as it is so often.
    if (bytes.len == 0 || bytes.ptr == NULL || buffer->failed ||
        bytes.len > buffer->capacity - buffer->len) {
        return jrpc_buffer_append_slowly(buffer, bytes);
    }
    memcpy(buffer->ptr + buffer->len, bytes.ptr, bytes.len);
    buffer->len += bytes.len;
    return true;
}
// Appends a whole number in decimal digits.
bool jrpc_buffer_append_number(jrpc_buffer *buffer, int64_t number);
bool jrpc_buffer_printf(jrpc_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline bool jrpc_buffer_append_str(jrpc_buffer *buffer, const char *text)
{
    return jrpc_buffer_append(buffer, jrpc_slice_str(text));
}
static inline bool jrpc_buffer_append_char(jrpc_buffer *buffer, char byte)
{
    return jrpc_buffer_append(buffer, jrpc_slice_of(&byte, 1));
}
// Makes room for `extra` more bytes after len; *ret_room is where they go. The caller adds to len
// with jrpc_buffer_grew.
bool jrpc_buffer_reserve(jrpc_buffer *buffer, size_t extra, char **ret_room);
void jrpc_buffer_grew(jrpc_buffer *buffer, size_t bytes);
// Drops `bytes` (at most len) from the front.
void jrpc_buffer_consume(jrpc_buffer *buffer, size_t bytes);
// Shortens to `len` bytes (at most the present len).
void jrpc_buffer_truncate(jrpc_buffer *buffer, size_t len);

#endif
