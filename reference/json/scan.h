// Finding the end of runs: white space, plain string bytes, digits; and what a digit is worth.
//
// A plain byte stands for itself in a string: printable ASCII but neither quote nor backslash.
// Strings are most of any document, so they are looked at 16 bytes at a time where the machine has
// SSE2, and 8 at a time in plain C elsewhere. Nothing is read past `end`.
#ifndef JRPC_JSON_SCAN_H
#define JRPC_JSON_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(JRPC_NO_SIMD)
#include <emmintrin.h>
#endif

static inline bool jrpc_scan_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

// White space between the tokens of JSON.
static inline bool jrpc_scan_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool jrpc_scan_is_plain(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static inline uint64_t jrpc_scan_load8(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

// Whether all eight bytes are plain. Each term sets the high bit of a byte that is not: non-ASCII;
// below 0x20 (the subtraction borrows); equal to a quote or a backslash (the difference is zero, so
// subtracting one borrows). A borrow can reach only bytes above one that is not plain itself.
static inline bool jrpc_scan_all_plain8(const char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word = jrpc_scan_load8(p);
    uint64_t quote = word ^ (ones * (unsigned char)'"');
    uint64_t backslash = word ^ (ones * (unsigned char)'\\');
    uint64_t hits = word | (word - ones * 0x20) | (quote - ones) | (backslash - ones);
    return (hits & (ones * 0x80)) == 0;
}

// The first byte from `p` on that is not plain, or `end`.
static inline const char *jrpc_scan_plain(const char *p, const char *end)
{
#if defined(__SSE2__) && !defined(JRPC_NO_SIMD)
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i space = _mm_set1_epi8(0x20);
    while (end - p >= 16) {
        __m128i bytes = _mm_loadu_si128((const void *)p);
        // The signed comparison catches control characters and, being negative, all of non-ASCII.
        __m128i hits = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
            _mm_cmplt_epi8(bytes, space));
        unsigned mask = (unsigned)_mm_movemask_epi8(hits);
        if (mask != 0) {
            return p + __builtin_ctz(mask);
        }
        p += 16;
    }
#endif
    while (end - p >= 8 && jrpc_scan_all_plain8(p)) {
        p += 8;
    }
    while (p != end && jrpc_scan_is_plain(*p)) {
        p++;
    }
    return p;
}

// The first byte from `p` on that is not white space (RFC 8259 section 2), or `end`.
static inline const char *jrpc_scan_space(const char *p, const char *end)
{
    if (p != end && (unsigned char)*p > ' ') {
        return p;
    }
    while (p != end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) {
        p++;
        // Indentation: blanks in eights.
        while (end - p >= 8 && jrpc_scan_load8(p) == UINT64_C(0x2020202020202020)) {
            p += 8;
        }
    }
    return p;
}

static inline const char *jrpc_scan_digits(const char *p, const char *end)
{
    while (p != end && jrpc_scan_is_digit(*p)) {
        p++;
    }
    return p;
}

// The value of a hexadecimal digit, or -1.
static inline int jrpc_scan_hex(char c)
{
    if (jrpc_scan_is_digit(c)) {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The byte that two hexadecimal digits spell, or -1. The second is not read if the first is none.
static inline int jrpc_scan_hex_pair(const char *pair)
{
    int high = jrpc_scan_hex(pair[0]);
    int low = high < 0 ? -1 : jrpc_scan_hex(pair[1]);
    return low < 0 ? -1 : high * 16 + low;
}

#endif
