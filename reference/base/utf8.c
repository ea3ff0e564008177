#include "reference/base/utf8.h"

// The bytes that may follow a lead byte: how many, and the range of the first of them, which is
// where overlong forms, surrogates and values past U+10FFFF are kept out (RFC 3629, section 4).
typedef struct lead {
    unsigned char from, to;  // lead bytes
    unsigned char low, high; // the second byte
    unsigned char length;
} lead;

static const lead leads[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
    {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
    {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

static const lead *find_lead(unsigned char byte)
{
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        if (byte >= leads[i].from && byte <= leads[i].to) {
            return &leads[i];
        }
    }
    return NULL;
}

size_t jrpc_utf8_sequence(const char *ptr, size_t len, size_t *ret_viable)
{
    size_t unused = 0;
    size_t *viable = ret_viable == NULL ? &unused : ret_viable;
    if ((unsigned char)ptr[0] < 0x80) {
        *viable = 1;
        return 1;
    }
    const lead *found = find_lead((unsigned char)ptr[0]);
    if (found == NULL) {
        *viable = 0;
        return 0;
    }
    for (size_t i = 1; i < found->length; i++) {
        unsigned char low = i == 1 ? found->low : 0x80;
        unsigned char high = i == 1 ? found->high : 0xBF;
        if (i >= len || (unsigned char)ptr[i] < low || (unsigned char)ptr[i] > high) {
            *viable = i;
            return 0;
        }
    }
    *viable = found->length;
    return found->length;
}

bool jrpc_utf8_is_valid(const char *ptr, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t sequence = jrpc_utf8_sequence(ptr + at, len - at, NULL);
        if (sequence == 0) {
            return false;
        }
        at += sequence;
    }
    return true;
}

size_t jrpc_utf8_boundary(const char *ptr, size_t len, size_t at)
{
    for (size_t back = 1; back < 4 && back <= at && at < len; back++) {
        if (jrpc_utf8_sequence(ptr + at - back, len - at + back, NULL) > back) {
            return at - back;
        }
    }
    return at;
}

size_t jrpc_utf8_encode(uint32_t code, char ret_bytes[4])
{
    static const unsigned char marks[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    ret_bytes[0] = (char)(marks[len] | code >> (6 * (len - 1)));
    for (size_t i = 1; i < len; i++) {
        ret_bytes[i] = (char)(0x80 | (code >> (6 * (len - 1 - i)) & 0x3F));
    }
    return len;
}
