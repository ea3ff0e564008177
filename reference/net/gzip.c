#include "reference/net/gzip.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { BLOCK_BYTES = 0xffff, BITS = 8, SHORT_BYTES = 2, LONG_BYTES = 4 };

static uint32_t checksum(jrpc_slice content)
{
    const uint32_t polynomial = 0xedb88320U;
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < content.len; i++) {
        sum ^= (unsigned char)content.ptr[i];
        for (int bit = 0; bit < BITS; bit++) {
            sum = (sum >> 1) ^ ((sum & 1U) != 0 ? polynomial : 0U);
        }
    }
    return ~sum;
}

// The least significant byte first.
static bool put_number(jrpc_buffer *out, uint32_t number, int bytes)
{
    bool put = true;
    for (int i = 0; i < bytes && put; i++) {
        put = jrpc_buffer_append_char(out, (char)(unsigned char)(number >> (i * BITS)));
    }
    return put;
}

bool jrpc_gzip_put(jrpc_buffer *out, jrpc_slice content)
{
    static const jrpc_slice head = JRPC_SLICE_INIT("\x1f\x8b\x08\0\0\0\0\0\0\xff");
    const uint32_t sum = checksum(content);
    const uint32_t size = (uint32_t)content.len;
    bool put = jrpc_buffer_append(out, head);
    bool last = false;
    while (put && !last) {
        size_t len = content.len < BLOCK_BYTES ? content.len : BLOCK_BYTES;
        last = len == content.len;
        put = jrpc_buffer_append_char(out, last ? '\x01' : '\0') && // stored
              put_number(out, (uint32_t)len, SHORT_BYTES) &&
              put_number(out, ~(uint32_t)len, SHORT_BYTES) &&
              jrpc_buffer_append(out, jrpc_slice_of(content.ptr, len));
        content = jrpc_slice_from(content, len);
    }
    return put && put_number(out, sum, LONG_BYTES) && put_number(out, size, LONG_BYTES);
}

// "gzip" or "x-gzip", perhaps with a weight.
static bool is_gzip(jrpc_slice element)
{
    static const char name[] = "gzip";
    size_t len = sizeof name - 1;
    if (element.len > 2 && strncasecmp(element.ptr, "x-", 2) == 0) {
        element = jrpc_slice_from(element, 2);
    }
    if (element.len < len || strncasecmp(element.ptr, name, len) != 0) {
        return false;
    }
    bool weighed = false;
    bool more = false; // than zero
    for (size_t i = len; i < element.len; i++) {
        weighed = weighed || element.ptr[i] == '=';
        more = more || (weighed && element.ptr[i] >= '1' && element.ptr[i] <= '9');
    }
    return !weighed || more;
}

bool jrpc_gzip_is_listed(jrpc_slice accept_encoding)
{
    bool listed = false;
    while (accept_encoding.len > 0 && !listed) {
        const char *comma = memchr(accept_encoding.ptr, ',', accept_encoding.len);
        size_t len = comma == NULL ? accept_encoding.len : (size_t)(comma - accept_encoding.ptr);
        jrpc_slice element = jrpc_slice_of(accept_encoding.ptr, len);
        while (element.len > 0 && (element.ptr[0] == ' ' || element.ptr[0] == '\t')) {
            element = jrpc_slice_from(element, 1);
        }
        listed = is_gzip(element);
        accept_encoding = jrpc_slice_from(accept_encoding, comma == NULL ? len : len + 1);
    }
    return listed;
}
