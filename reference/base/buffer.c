#include "reference/base/buffer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64)

void jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum)
{
    // One byte more than the capacity is allocated, for the NUL that printf writes: a maximum of
    // SIZE_MAX would make that overflow.
    *buffer = (jrpc_buffer){
        .allocator = allocator,
        .maximum = maximum < SIZE_MAX - 1 ? maximum : SIZE_MAX - 1,
    };
}

void jrpc_buffer_done(jrpc_buffer *buffer)
{
    if (buffer->ptr != NULL) {
        jrpc_deallocate(buffer->allocator, buffer->ptr);
    }
    buffer->ptr = NULL;
    buffer->len = 0;
    buffer->capacity = 0;
}

void jrpc_buffer_clear(jrpc_buffer *buffer)
{
    buffer->len = 0;
    buffer->failed = false;
}

static bool grow(jrpc_buffer *buffer, size_t needed)
{
    size_t capacity = buffer->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : buffer->capacity;
    while (capacity < needed) {
        capacity = capacity > SIZE_MAX / 2 ? SIZE_MAX : capacity * 2;
    }
    if (capacity > buffer->maximum) {
        capacity = buffer->maximum;
    }
    char *ptr = jrpc_reallocate(buffer->allocator, buffer->ptr, capacity + 1);
    if (ptr == NULL) {
        return false;
    }
    buffer->ptr = ptr;
    buffer->capacity = capacity;
    return true;
}

bool jrpc_buffer_reserve(jrpc_buffer *buffer, size_t extra, char **ret_room)
{
    if (buffer->failed) {
        return false;
    }
    if (buffer->len > buffer->maximum || extra > buffer->maximum - buffer->len) {
        buffer->failed = true;
        return false;
    }
    size_t needed = buffer->len + extra;
    if ((buffer->ptr == NULL || needed > buffer->capacity) && !grow(buffer, needed)) {
        buffer->failed = true;
        return false;
    }
    *ret_room = buffer->ptr + buffer->len;
    return true;
}

void jrpc_buffer_grew(jrpc_buffer *buffer, size_t bytes)
{
    assert(bytes <= buffer->capacity - buffer->len);
    buffer->len += bytes;
}

bool jrpc_buffer_append_slowly(jrpc_buffer *buffer, jrpc_slice bytes)
{
    char *room;
    if (!jrpc_buffer_reserve(buffer, bytes.len, &room)) {
        return false;
    }
    if (bytes.len > 0) {
        memcpy(room, bytes.ptr, bytes.len);
        buffer->len += bytes.len;
    }
    return true;
}

bool jrpc_buffer_append_number(jrpc_buffer *buffer, int64_t number)
{
    char digits[20]; // a sign and nineteen digits
    size_t at = sizeof digits;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    return jrpc_buffer_append(buffer, jrpc_slice_of(digits + at, sizeof digits - at));
}

bool jrpc_buffer_printf(jrpc_buffer *buffer, const char *format, ...)
{
    // Most texts fit into the memory that is allocated, which has an extra byte for the NUL. If
    // not, this call only measures the text.
    bool ready = buffer->ptr != NULL && !buffer->failed;
    char *room = ready ? buffer->ptr + buffer->len : NULL;
    size_t left = ready ? buffer->capacity - buffer->len : 0;
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(room, ready ? left + 1 : 0, format, arguments);
    va_end(arguments);
    if (len < 0) {
        buffer->failed = true;
        return false;
    }
    if (!ready || (size_t)len > left) {
        if (!jrpc_buffer_reserve(buffer, (size_t)len, &room)) {
            return false;
        }
        va_start(arguments, format);
        (void)vsnprintf(room, (size_t)len + 1, format, arguments);
        va_end(arguments);
    }
    buffer->len += (size_t)len;
    return true;
}

void jrpc_buffer_consume(jrpc_buffer *buffer, size_t bytes)
{
    assert(bytes <= buffer->len);
    buffer->len -= bytes;
    if (buffer->len > 0 && bytes > 0) {
        memmove(buffer->ptr, buffer->ptr + bytes, buffer->len);
    }
}

void jrpc_buffer_truncate(jrpc_buffer *buffer, size_t len)
{
    assert(len <= buffer->len);
    buffer->len = len;
}
