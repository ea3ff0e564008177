#include "fuzz/model/plain.h"

#include "fuzz/fuzz.h"

#include <stdlib.h>

static size_t wide_character(const unsigned char *p, size_t left)
{
    static const struct {
        unsigned char first, last;
        size_t len;
        unsigned least;
    } leads[] = {{0xC2, 0xDF, 2, 0x80}, {0xE0, 0xEF, 3, 0x800}, {0xF0, 0xF4, 4, 0x10000}};
    static const struct {
        unsigned first, last;
    } hiding[] = {{0x80, 0x9F},     {0xAD, 0xAD},     {0x200B, 0x200F}, {0x2028, 0x202E},
                  {0x2060, 0x206F}, {0xD800, 0xDFFF}, {0xFEFF, 0xFEFF}, {0x110000, 0x1FFFFF}};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        if (p[0] < leads[i].first || p[0] > leads[i].last || left < leads[i].len) {
            continue;
        }
        unsigned code = p[0] & (0xFFu >> (leads[i].len + 1));
        for (size_t k = 1; k < leads[i].len; k++) {
            if ((p[k] & 0xC0) != 0x80) {
                return 0;
            }
            code = code << 6 | (p[k] & 0x3Fu);
        }
        for (size_t k = 0; k < sizeof hiding / sizeof *hiding; k++) {
            if (code >= hiding[k].first && code <= hiding[k].last) {
                return 0;
            }
        }
        return code >= leads[i].least ? leads[i].len : 0;
    }
    return 0;
}

size_t plain_character(jrpc_slice text)
{
    unsigned char byte = (unsigned char)text.ptr[0];
    if (byte < 0x80) {
        return (byte >= 0x20 && byte != 0x7F) || byte == '\n' ? 1 : 0;
    }
    return wide_character((const unsigned char *)text.ptr, text.len);
}

void plain_require(jrpc_slice text)
{
    for (size_t i = 0; i < text.len;) {
        size_t len = plain_character(jrpc_slice_from(text, i));
        FUZZ_REQUIRE(len != 0);
        i += len;
    }
}

size_t plain_find(jrpc_slice text, const char *part)
{
    const char *end = text.ptr + text.len;
    for (const char *p = text.ptr; p != end; p++) {
        if (*p == part[0] && plain_begins(jrpc_slice_of(p, (size_t)(end - p)), part)) {
            return (size_t)(p - text.ptr) + strlen(part);
        }
    }
    return SIZE_MAX;
}

static size_t walk(jrpc_slice text, const char *part, bool sum)
{
    size_t result = 0;
    for (size_t end = plain_find(text, part); end != SIZE_MAX; end = plain_find(text, part)) {
        text = jrpc_slice_from(text, end);
        size_t number = 0;
        for (size_t i = 0; sum && i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++) {
            number = number * 10 + (size_t)(text.ptr[i] - '0');
        }
        result += sum ? number : 1;
    }
    return result;
}

size_t plain_count(jrpc_slice text, const char *part)
{
    return walk(text, part, false);
}

size_t plain_sum(jrpc_slice text, const char *part)
{
    return walk(text, part, true);
}
