// A borrowed run of bytes: pointer and length, never a C string.
//
// Everything that came from a peer or a file is handled as a slice. A slice owns nothing; the
// header of whoever hands one out says how long it stays valid.
#ifndef JRPC_BASE_SLICE_H
#define JRPC_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct jrpc_slice {
    const char *ptr; // may be NULL when len is 0
    size_t len;      // bytes
} jrpc_slice;

// A slice over a string literal, without its terminating NUL.
#define JRPC_SLICE(literal) ((jrpc_slice){("" literal), sizeof(literal) - 1})
// The same as a constant initializer for tables.
#define JRPC_SLICE_INIT(literal)                                                                   \
    {                                                                                              \
        ("" literal), sizeof(literal) - 1                                                          \
    }

static inline jrpc_slice jrpc_slice_of(const char *ptr, size_t len)
{
    return (jrpc_slice){ptr, len};
}

// The bytes of a NUL-terminated string; NULL gives an empty slice.
static inline jrpc_slice jrpc_slice_str(const char *text)
{
    return (jrpc_slice){text, text == NULL ? 0 : strlen(text)};
}

static inline bool jrpc_slice_equal(jrpc_slice a, jrpc_slice b)
{
    // Names that are looked for among many of one length mostly differ in their last byte.
    return a.len == b.len && (a.len == 0 || (a.ptr[a.len - 1] == b.ptr[b.len - 1] &&
                                             memcmp(a.ptr, b.ptr, a.len) == 0));
}

static inline bool jrpc_slice_is(jrpc_slice a, const char *text)
{
    return jrpc_slice_equal(a, jrpc_slice_str(text));
}

static inline bool jrpc_slice_starts_with(jrpc_slice a, jrpc_slice prefix)
{
    return a.len >= prefix.len &&
           (prefix.len == 0 || (a.ptr != NULL && memcmp(a.ptr, prefix.ptr, prefix.len) == 0));
}

// Whether `part` stands somewhere in `whole`; an empty part stands in everything.
static inline bool jrpc_slice_contains(jrpc_slice whole, jrpc_slice part)
{
    if (part.len == 0) {
        return true;
    }
    for (size_t at = 0; at + part.len <= whole.len; at++) {
        const char *first = memchr(whole.ptr + at, part.ptr[0], whole.len - part.len - at + 1);
        if (first == NULL) {
            return false;
        }
        if (memcmp(first, part.ptr, part.len) == 0) {
            return true;
        }
        at = (size_t)(first - whole.ptr);
    }
    return false;
}

// The bytes from `from` (at most len) to the end.
static inline jrpc_slice jrpc_slice_from(jrpc_slice a, size_t from)
{
    return from >= a.len ? (jrpc_slice){a.ptr, 0} : (jrpc_slice){a.ptr + from, a.len - from};
}

// The next line of a text: cut off from *text, without its line feed. False at the end.
static inline bool jrpc_slice_take_line(jrpc_slice *text, jrpc_slice *ret_line)
{
    if (text->len == 0) {
        return false;
    }
    const char *end = (const char *)memchr(text->ptr, '\n', text->len);
    size_t len = end == NULL ? text->len : (size_t)(end - text->ptr);
    *ret_line = jrpc_slice_of(text->ptr, len);
    *text = jrpc_slice_from(*text, len + (end != NULL));
    return true;
}

// Whether anything follows the first line of a text.
static inline bool jrpc_slice_has_several_lines(jrpc_slice text)
{
    return text.len > 0 && memchr(text.ptr, '\n', text.len - 1) != NULL;
}

// What stands between the first and the last byte: of the spelling of a String, its content without
// the quotation marks. `a` has both.
static inline jrpc_slice jrpc_slice_inside(jrpc_slice a)
{
    return (jrpc_slice){a.ptr + 1, a.len - 2};
}

#endif
