#include "harness/schema/decimal.h"

#include "reference/json/scan.h"

// Any number of so many digits fits into 64 bits.
#define DIGITS_MAX 19
// Larger exponents are not looked into.
#define EXPONENT_MAX 10000

// The size of a number, without its sign: digits * 10^exponent.
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

static bool read_exponent(jrpc_slice text, int *ret)
{
    bool negative = text.len > 0 && text.ptr[0] == '-';
    size_t i = text.len > 0 && (negative || text.ptr[0] == '+') ? 1 : 0;
    int exponent = 0;
    for (; i < text.len; i++) {
        exponent = exponent * 10 + (text.ptr[i] - '0');
        if (exponent > EXPONENT_MAX) {
            return false;
        }
    }
    *ret = negative ? -exponent : exponent;
    return true;
}

// False if the number has too many significant digits, or its exponent is too large.
static bool read_decimal(jrpc_slice text, decimal *ret)
{
    size_t i = text.len > 0 && text.ptr[0] == '-' ? 1 : 0;
    bool after_point = false;
    int zeros = 0; // at the end so far: significant only if another digit follows
    int used = 0;
    *ret = (decimal){0, 0};
    for (; i < text.len && (jrpc_scan_is_digit(text.ptr[i]) || text.ptr[i] == '.'); i++) {
        if (text.ptr[i] == '.') {
            after_point = true;
            continue;
        }
        ret->exponent -= after_point ? 1 : 0;
        if (text.ptr[i] == '0') {
            zeros += ret->digits > 0 ? 1 : 0;
            continue;
        }
        for (used += zeros + 1; zeros > 0 && used <= DIGITS_MAX; zeros--) {
            ret->digits *= 10;
        }
        if (used > DIGITS_MAX) {
            return false;
        }
        ret->digits = ret->digits * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    ret->exponent += zeros;
    int exponent = 0;
    if (i < text.len && !read_exponent(jrpc_slice_from(text, i + 1), &exponent)) {
        return false;
    }
    ret->exponent += exponent;
    return true;
}

jck_multiple jck_is_multiple(jrpc_slice number, jrpc_slice of)
{
    decimal whole;
    decimal part;
    if (!read_decimal(number, &whole) || !read_decimal(of, &part) || part.digits == 0) {
        return JCK_MULTIPLE_UNSURE;
    }
    if (whole.digits == 0) {
        return JCK_MULTIPLE_IS;
    }
    // The quotient is whole.digits * 10^shift / part.digits.
    int shift = whole.exponent - part.exponent;
    uint64_t rest = whole.digits % part.digits;
    for (; shift > 0 && rest != 0; shift--) {
        if (rest > UINT64_MAX / 10) {
            return JCK_MULTIPLE_UNSURE;
        }
        rest = rest * 10 % part.digits;
    }
    if (shift >= 0) {
        return rest == 0 ? JCK_MULTIPLE_IS : JCK_MULTIPLE_NOT;
    }
    // A negative shift makes the divisor larger.
    uint64_t digits = whole.digits;
    uint64_t divisor = part.digits;
    for (; shift < 0; shift++) {
        if (divisor > UINT64_MAX / 10) {
            return JCK_MULTIPLE_NOT; // larger than any number that is read here
        }
        divisor *= 10;
    }
    return digits % divisor == 0 ? JCK_MULTIPLE_IS : JCK_MULTIPLE_NOT;
}
