#include "reference/wire/sha1.h"

#include <stdint.h>

enum { BLOCK = 64 };

static uint32_t rotate(uint32_t value, unsigned by)
{
    return value << by | value >> (32 - by);
}

static void digest_block(uint32_t state[5], const unsigned char *block)
{
    uint32_t w[80];
    for (size_t i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (size_t i = 16; i < 80; i++) {
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (size_t i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5A827999u
                     : i < 40 ? (b ^ c ^ d) + 0x6ED9EBA1u
                     : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCu
                              : (b ^ c ^ d) + 0xCA62C1D6u;
        uint32_t next = rotate(a, 5) + f + e + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void jrpc_sha1(jrpc_slice bytes, unsigned char ret_digest[JRPC_SHA1_BYTES])
{
    uint32_t state[5] = {0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
    size_t at = 0;
    for (; bytes.len - at >= BLOCK; at += BLOCK) {
        digest_block(state, (const unsigned char *)bytes.ptr + at);
    }
    unsigned char last[2 * BLOCK] = {0};
    size_t rest = bytes.len - at;
    if (rest > 0) {
        memcpy(last, bytes.ptr + at, rest);
    }
    last[rest] = 0x80;
    size_t blocks = rest + 9 <= BLOCK ? 1 : 2;
    uint64_t bits = (uint64_t)bytes.len * 8;
    for (size_t i = 0; i < 8; i++) {
        last[blocks * BLOCK - 1 - i] = (unsigned char)(bits >> (8 * i));
    }
    for (size_t i = 0; i < blocks; i++) {
        digest_block(state, last + i * BLOCK);
    }
    for (size_t i = 0; i < JRPC_SHA1_BYTES; i++) {
        ret_digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void jrpc_base64(jrpc_slice bytes, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < bytes.len; at += 3) {
        size_t left = bytes.len - at < 3 ? bytes.len - at : 3;
        unsigned group = 0;
        for (size_t i = 0; i < 3; i++) {
            group = group << 8 | (i < left ? (unsigned char)bytes.ptr[at + i] : 0u);
        }
        for (size_t i = 0; i < 4; i++) {
            *out++ = i <= left ? digits[group >> (18 - 6 * i) & 63] : '=';
        }
    }
    *out = '\0';
}
