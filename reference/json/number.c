// Numbers as exact decimals: nothing here is ever a double, and nothing is allocated.
#include "reference/json/equal.h"
#include "reference/json/scan.h"

#include <assert.h>

// A number without what its spelling leaves free: 0.D × 10^(point + exponent), where D are the
// digits from the first to the last that is not zero.
typedef struct decimal {
    bool negative; // of no meaning for zero
    bool zero;
    const char *digits; // the first digit that is not zero; a decimal point may stand further on
    int64_t digit_count;
    int64_t point;
    bool exponent_negative;
    jrpc_slice exponent; // digits alone, no leading zeros; may be of any length
} decimal;

static void read_exponent(decimal *out, const char *p, const char *end)
{
    if (p == end) {
        return;
    }
    p++; // e or E
    if (*p == '+' || *p == '-') {
        out->exponent_negative = *p == '-';
        p++;
    }
    while (p != end && *p == '0') {
        p++;
    }
    out->exponent = jrpc_slice_of(p, (size_t)(end - p));
}

static decimal read_decimal(jrpc_slice spelling)
{
    assert(spelling.ptr != NULL);
    assert(spelling.len > 0);
    decimal out = {.zero = true};
    const char *p = spelling.ptr;
    const char *end = p + spelling.len;
    if (*p == '-') {
        out.negative = true;
        p++;
    }
    bool behind_point = false;
    int64_t position = 0; // how many digits stand before the present one, leading zeros left out
    for (; p != end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            behind_point = true;
            continue;
        }
        if (*p != '0') {
            if (out.zero) {
                out.zero = false;
                out.digits = p;
            }
            out.digit_count = position + 1;
        }
        if (!out.zero) {
            position++;
            out.point += !behind_point;
        } else if (behind_point) {
            out.point--;
        }
    }
    read_exponent(&out, p, end);
    return out;
}

// The difference of two exponents, exact up to ±EXPONENT_FAR, past which only its sign and that it
// is far counts: points and digit counts are bounded by the length of a text.
#define EXPONENT_FAR ((int64_t)1 << 40)

static int digit_at(jrpc_slice digits, size_t place)
{
    return place < digits.len ? digits.ptr[digits.len - 1 - place] - '0' : 0;
}

static int64_t exponent_difference(const decimal *a, const decimal *b)
{
    int64_t sign_a = a->exponent_negative ? -1 : 1;
    int64_t sign_b = b->exponent_negative ? -1 : 1;
    size_t places = a->exponent.len > b->exponent.len ? a->exponent.len : b->exponent.len;
    int64_t difference = 0;
    for (size_t place = places; place-- > 0;) {
        difference = difference * 10 + sign_a * digit_at(a->exponent, place) -
                     sign_b * digit_at(b->exponent, place);
        // What the digits to come can still change is less than what is there: the sign stays.
        if (difference > EXPONENT_FAR || difference < -EXPONENT_FAR) {
            return difference;
        }
    }
    return difference;
}

static int sign_of(int64_t x)
{
    return (x > 0) - (x < 0);
}

static char next_digit(const char **p)
{
    if (**p == '.') {
        (*p)++;
    }
    return *(*p)++;
}

// Both are not zero; signs are left out.
static int compare_magnitude(const decimal *a, const decimal *b)
{
    int order = sign_of(exponent_difference(a, b) + (a->point - b->point));
    if (order != 0) {
        return order;
    }
    int64_t shared = a->digit_count < b->digit_count ? a->digit_count : b->digit_count;
    const char *left = a->digits;
    const char *right = b->digits;
    for (int64_t i = 0; i < shared; i++) {
        order = next_digit(&left) - next_digit(&right);
        if (order != 0) {
            return sign_of(order);
        }
    }
    // The last digit is not zero, so the longer is the larger.
    return sign_of(a->digit_count - b->digit_count);
}

int jrpc_json_number_compare(jrpc_slice a, jrpc_slice b)
{
    if (jrpc_slice_equal(a, b)) {
        return 0;
    }
    decimal left = read_decimal(a);
    decimal right = read_decimal(b);
    int sign_left = left.zero ? 0 : left.negative ? -1 : 1;
    int sign_right = right.zero ? 0 : right.negative ? -1 : 1;
    if (sign_left != sign_right || sign_left == 0) {
        return sign_left - sign_right;
    }
    return sign_left * compare_magnitude(&left, &right);
}

// point + exponent: how many digits stand before the decimal point, if not negative. Exact up to
// ±EXPONENT_FAR.
static int64_t digits_before_point(const decimal *number)
{
    decimal none = {.zero = true};
    return exponent_difference(number, &none) + number->point;
}

bool jrpc_json_is_integer(jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_NUMBER)) {
        return false;
    }
    if ((jrpc_json_flags(value) & JRPC_JSON_FRACTIONAL) == 0) {
        return true;
    }
    decimal number = read_decimal(jrpc_json_spelling(value));
    return number.zero || digits_before_point(&number) >= number.digit_count;
}

// An integer spelled with up to 18 digits and without fraction or exponent, the usual case.
static int64_t read_short(jrpc_slice spelling)
{
    assert(spelling.ptr != NULL); // a number has at least one digit
    bool negative = spelling.ptr[0] == '-';
    int64_t magnitude = 0;
    for (size_t i = negative ? 1 : 0; i < spelling.len; i++) {
        magnitude = magnitude * 10 + (spelling.ptr[i] - '0');
    }
    return negative ? -magnitude : magnitude;
}

bool jrpc_json_int64(jrpc_json value, int64_t *ret)
{
    enum { MOST_DIGITS = 19 };
    if (!jrpc_json_is(value, JRPC_JSON_NUMBER)) {
        return false;
    }
    if ((jrpc_json_flags(value) & JRPC_JSON_FRACTIONAL) == 0 &&
        jrpc_json_spelling(value).len < MOST_DIGITS) {
        *ret = read_short(jrpc_json_spelling(value));
        return true;
    }
    if (!jrpc_json_is_integer(value)) {
        return false;
    }
    decimal number = read_decimal(jrpc_json_spelling(value));
    if (number.zero) {
        *ret = 0;
        return true;
    }
    int64_t digits = digits_before_point(&number);
    if (digits > MOST_DIGITS) {
        return false;
    }
    assert(digits >= number.digit_count);
    // Nineteen digits fit 64 bits without a sign.
    uint64_t magnitude = 0;
    const char *p = number.digits;
    for (int64_t i = 0; i < digits; i++) {
        magnitude =
            magnitude * 10 + (i < number.digit_count ? (uint64_t)(next_digit(&p) - '0') : 0);
    }
    if (magnitude > (uint64_t)INT64_MAX + number.negative) {
        return false;
    }
    // The smallest value has no positive counterpart.
    *ret = number.negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    return true;
}
