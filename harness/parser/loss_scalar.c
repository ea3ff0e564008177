// Numbers and strings that come back changed.
#include "harness/parser/loss.h"
#include "reference/json/equal.h"

#include <math.h>
#include <stdlib.h>

#define SHORT_SPELLING 256
// Up to here every integer is a binary64, and RFC 8259 calls it interoperable.
#define EXACT_MAX 9007199254740991.0
// The largest error of what counts as an approximation.
#define COARSE (1.0 / 1024)
// Below the normal numbers of binary32.
#define TINY 1e-37

// The nearest binary64; NAN if out of memory, which equals nothing.
static double binary64_of(jrpc_slice spelling)
{
    char small[SHORT_SPELLING];
    char *copy = spelling.len < sizeof small
                     ? small
                     : jrpc_allocate(jrpc_allocator_heap(), spelling.len + 1);
    if (copy == NULL) {
        return NAN;
    }
    memcpy(copy, spelling.ptr, spelling.len);
    copy[spelling.len] = '\0';
    double value = strtod(copy, NULL); // LC_NUMERIC is "C": no program of ours sets a locale
    if (copy != small) {
        jrpc_deallocate(jrpc_allocator_heap(), copy);
    }
    return value;
}

static bool is_negative(jrpc_slice spelling)
{
    return spelling.len > 0 && spelling.ptr[0] == '-';
}

jck_class jck_loss_of_number(jrpc_slice sent, jrpc_slice back)
{
    double a = binary64_of(sent);
    double b = binary64_of(back);
    if (jrpc_json_number_compare(sent, back) == 0) {
        return a == 0 && is_negative(sent) && !is_negative(back) ? JCK_CLASS_NUMBER_SIGN
                                                                 : JCK_CLASS_NONE;
    }
    if (!isfinite(a)) {
        // If a number that is too large becomes a small one, its exponent wrapped.
        return b != 0 && fabs(b) <= EXACT_MAX                          ? JCK_CLASS_NUMBER_WRAPPED
               : isfinite(b) || is_negative(sent) != is_negative(back) ? JCK_CLASS_NUMBER_INFINITE
                                                                       : JCK_CLASS_NUMBER_ROUNDED;
    }
    if (a == b) {
        return a == 0 ? JCK_CLASS_NUMBER_ZERO : JCK_CLASS_NUMBER_ROUNDED;
    }
    if (isfinite(b) && fabs(a - b) <= fabs(a) * COARSE) {
        return JCK_CLASS_NUMBER_COARSE;
    }
    // Below the smallest normal number, of binary64 or of whatever format a library uses, precision
    // is gradually lost.
    if (fabs(a) < TINY && isfinite(b) && fabs(b) < TINY) {
        return JCK_CLASS_NUMBER_COARSE;
    }
    return fabs(a) <= EXACT_MAX ? JCK_CLASS_NUMBER_CHANGED : JCK_CLASS_NUMBER_WRAPPED;
}

// A surrogate in generalized UTF-8, ED A0 80 to ED BF BF: only lone ones are written so.
static bool is_surrogate(const char *at, const char *end)
{
    return end - at >= 3 && (unsigned char)at[0] == 0xED && (unsigned char)at[1] >= 0xA0;
}

static bool has_surrogate(jrpc_slice content)
{
    for (size_t i = 0; i + 3 <= content.len; i++) {
        if (is_surrogate(content.ptr + i, content.ptr + content.len)) {
            return true;
        }
    }
    return false;
}

// The length in bytes of the replacements at this place, at most `most` of them.
static size_t replacements_at(const char *at, const char *end, size_t most)
{
    const char *p = at;
    for (size_t i = 0; i < most; i++) {
        if (end - p >= 3 && memcmp(p, "\xEF\xBF\xBD", 3) == 0) {
            p += 3;
        } else if (p < end && *p == '?') {
            p++;
        } else {
            break;
        }
    }
    return (size_t)(p - at);
}

// Whether `back` is `sent` with each run of lone surrogates replaced by U+FFFD or ?; some libraries
// write one for each byte.
static bool is_replaced(jrpc_slice sent, jrpc_slice back)
{
    const char *a = sent.ptr, *a_end = sent.ptr + sent.len;
    const char *b = back.ptr, *b_end = back.ptr + back.len;
    while (a < a_end) {
        size_t run = 0;
        while (is_surrogate(a, a_end)) {
            a += 3;
            run++;
        }
        size_t replaced = replacements_at(b, b_end, 3 * run);
        if (run > 0 && replaced == 0) {
            return false;
        }
        b += replaced;
        if (run == 0 && (b == b_end || *a++ != *b++)) {
            return false;
        }
    }
    return b == b_end;
}

jck_class jck_loss_of_string(jrpc_slice sent, jrpc_slice back)
{
    if (jrpc_slice_equal(sent, back)) {
        return JCK_CLASS_NONE;
    }
    bool surrogate = has_surrogate(sent);
    if (back.len < sent.len && jrpc_slice_starts_with(sent, back) && sent.ptr[back.len] == '\0') {
        return JCK_CLASS_STRING_CUT_AT_NUL;
    }
    if (surrogate) {
        return is_replaced(sent, back) ? JCK_CLASS_SURROGATE_REPLACED : JCK_CLASS_SURROGATE_CHANGED;
    }
    if (jrpc_slice_starts_with(sent, back)) {
        return JCK_CLASS_STRING_CUT;
    }
    jrpc_slice replacement = JRPC_SLICE("\xEF\xBF\xBD");
    return jrpc_slice_contains(back, replacement) && !jrpc_slice_contains(sent, replacement)
               ? JCK_CLASS_STRING_REPLACED
               : JCK_CLASS_STRING_CHANGED;
}
