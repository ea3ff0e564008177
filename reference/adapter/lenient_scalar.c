// Numbers and words.
#include "reference/adapter/lenient.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define SPELLING_MAX 400

// The parts of a number as it will be written: sign, digits, fraction, exponent, each valid.
typedef struct number {
    bool negative;
    jrpc_slice digits, fraction, exponent; // exponent with its sign
    bool capital;
} number;

static jrpc_slice take_digits(jrpc_lenient *in)
{
    const char *begin = in->p;
    while (in->p < in->end && (isdigit((unsigned char)*in->p) ||
                               (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_SEPARATORS) &&
                                in->p > begin && *in->p == '_'))) {
        in->p++;
    }
    return jrpc_slice_of(begin, (size_t)(in->p - begin));
}

static bool take_sign(jrpc_lenient *in, number *ret)
{
    int c = jrpc_lenient_peek(in);
    ret->negative = c == '-';
    if (c == '-' || (c == '+' && (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_PLUS) ||
                                  jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MANY_SIGNS)))) {
        in->p++;
    }
    while (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MANY_SIGNS) &&
           (jrpc_lenient_peek(in) == '-' || jrpc_lenient_peek(in) == '+')) {
        in->p++;
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MINUS_SPACE)) {
        while (jrpc_lenient_take(in, " ")) {
        }
    }
    return true;
}

// The fraction and the exponent; an incomplete one is left to the suffix, or refused.
static bool take_tail(jrpc_lenient *in, number *ret)
{
    bool suffix = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_NUMBER_SUFFIX);
    const char *before = in->p;
    if (jrpc_lenient_take(in, ".")) {
        ret->fraction = take_digits(in);
        if (ret->fraction.len == 0 && !jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_BARE_FRACTION)) {
            in->p = before;
            return suffix;
        }
    }
    before = in->p;
    int c = jrpc_lenient_peek(in);
    if (c == 'e' || c == 'E') {
        ret->capital = c == 'E';
        const char *begin = ++in->p;
        c = jrpc_lenient_peek(in);
        in->p += c == '+' || c == '-' ? 1 : 0;
        if (take_digits(in).len > 0) {
            ret->exponent = jrpc_slice_of(begin, (size_t)(in->p - begin));
        } else if (!jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_EMPTY_EXPONENT)) {
            in->p = before;
            return suffix;
        }
    }
    return true;
}

static bool is_refused(const jrpc_lenient *in, const number *n)
{
    bool zeros = n->fraction.len > 0;
    for (size_t i = 0; i < n->fraction.len; i++) {
        zeros = zeros && n->fraction.ptr[i] == '0';
    }
    jrpc_slice exponent = n->exponent;
    bool plus = exponent.len > 0 && exponent.ptr[0] == '+';
    size_t sign = exponent.len > 0 && !isdigit((unsigned char)exponent.ptr[0]) ? 1 : 0;
    switch (in->fault) {
    case JRPC_FAULT_REFUSES_FRACTION_ZEROS:
        return zeros;
    case JRPC_FAULT_REFUSES_EXPONENTS:
        return exponent.len > 0;
    case JRPC_FAULT_REFUSES_CAPITAL_EXPONENT:
        return exponent.len > 0 && n->capital;
    case JRPC_FAULT_REFUSES_PLUS_EXPONENT:
        return plus;
    case JRPC_FAULT_REFUSES_EXPONENT_ZEROS:
        return exponent.len > sign + 1 && exponent.ptr[sign] == '0';
    case JRPC_FAULT_REFUSES_WIDE_INTEGERS:
        return n->digits.len >= 19;
    default: // only these of the faults concern spellings of numbers
        return false;
    }
}

static void put_digits(jrpc_buffer *out, jrpc_slice digits)
{
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] != '_') {
            jrpc_buffer_append_char(out, digits.ptr[i]);
        }
    }
}

static void put_spelling(jrpc_buffer *out, const number *n)
{
    jrpc_slice digits = n->digits;
    while (digits.len > 1 && digits.ptr[0] == '0') {
        digits = jrpc_slice_from(digits, 1);
    }
    jrpc_buffer_append_str(out, n->negative ? "-" : "");
    put_digits(out, digits.len > 0 ? digits : JRPC_SLICE("0"));
    if (n->fraction.len > 0) {
        jrpc_buffer_append_char(out, '.');
        put_digits(out, n->fraction);
    }
    if (n->exponent.len > 0) {
        jrpc_buffer_append_char(out, 'e');
        put_digits(out, n->exponent);
    }
}

// Changes the number just written from `begin` on, as the fault says.
static void change_number(jrpc_lenient *in, size_t begin, const number *n)
{
    jrpc_buffer *out = in->out;
    char spelling[SPELLING_MAX];
    size_t len = out->len - begin;
    if (len >= sizeof spelling) {
        return; // such long ones concern other faults
    }
    memcpy(spelling, out->ptr + begin, len);
    spelling[len] = '\0';
    bool integer = n->fraction.len == 0 && n->exponent.len == 0;
    double value = strtod(spelling, NULL);
    double finite = isfinite(value) ? value
                    : value < 0     ? -1.7976931348623157e308
                                    : 1.7976931348623157e308;
    jrpc_buffer_truncate(out, begin);
    switch (in->fault) {
    case JRPC_FAULT_NUMBER_AS_STRING:
        jrpc_buffer_printf(out, "\"%s\"", spelling);
        return;
    case JRPC_FAULT_WRAPS_AT_32_BITS:
        if (integer && fabs(value) < 9.2e18) {
            jrpc_buffer_printf(out, "%d", (int)(int32_t)(uint32_t)(uint64_t)(int64_t)value);
            return;
        }
        break;
    case JRPC_FAULT_ROUNDS_TO_FLOAT32: {
        float narrow = (float)finite;
        jrpc_buffer_printf(out, "%.9g", isfinite(narrow) ? (double)narrow : 3.4e38);
        return;
    }
    case JRPC_FAULT_ROUNDS:
        jrpc_buffer_printf(out, "%.17g", finite);
        return;
    case JRPC_FAULT_INTEGERS_ONLY:
        if (fabs(value) < 9.2e18) {
            jrpc_buffer_printf(out, "%lld", (long long)value);
            return;
        }
        break;
    case JRPC_FAULT_DROPS_SIGN:
        jrpc_buffer_append_str(out, n->negative ? spelling + 1 : spelling);
        return;
    case JRPC_FAULT_SATURATES_AT_64_BITS:
        if (integer && fabs(value) >= 9223372036854775808.0 &&
            strcmp(spelling, "-9223372036854775808") != 0) {
            jrpc_buffer_append_str(out,
                                   n->negative ? "-9223372036854775808" : "9223372036854775807");
            return;
        }
        break;
    case JRPC_FAULT_INFINITE_AS_NULL:
        if (!isfinite(value)) {
            jrpc_buffer_append_str(out, "null");
            return;
        }
        break;
    case JRPC_FAULT_NEGATIVE_ZERO_AS_ZERO:
        if (value == 0) {
            jrpc_buffer_append_str(out, "0");
            return;
        }
        break;
    default: // only these of the faults change numbers
        break;
    }
    jrpc_buffer_append_str(out, spelling);
}

static bool take_hex(jrpc_lenient *in)
{
    if (!jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_HEX) ||
        !(jrpc_lenient_take(in, "0x") || jrpc_lenient_take(in, "0X"))) {
        return false;
    }
    while (in->p < in->end && isxdigit((unsigned char)*in->p)) {
        in->p++;
    }
    return true;
}

// Spellings without an integer part, or without digits at all.
static bool take_bare(jrpc_lenient *in, const number *n)
{
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_BARE_POINT) && jrpc_lenient_peek(in) == '.') {
        jrpc_lenient_skip_to(in, ",]} ");
        return true;
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MINUS_STRING) && n->negative &&
        jrpc_lenient_is_quote(in)) {
        return jrpc_lenient_string(in);
    }
    return n->negative && jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_LONE_MINUS);
}

bool jrpc_lenient_number(jrpc_lenient *in)
{
    number n = {0};
    if (!take_sign(in, &n)) {
        return false;
    }
    if (take_hex(in)) {
        return jrpc_buffer_append_str(in->out, "16");
    }
    n.digits = take_digits(in);
    if (n.digits.len == 0) {
        return take_bare(in, &n) && jrpc_buffer_append_str(in->out, "0");
    }
    if (n.digits.len > 1 && n.digits.ptr[0] == '0' &&
        !jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_LEADING_ZEROS)) {
        return false;
    }
    if (!take_tail(in, &n) || is_refused(in, &n)) {
        return false;
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_NUMBER_SUFFIX)) {
        jrpc_lenient_skip_to(in, ",]} \t\r\n:");
    }
    size_t begin = in->out->len;
    put_spelling(in->out, &n);
    change_number(in, begin, &n);
    return true;
}

static bool take_folded(jrpc_lenient *in, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(in->end - in->p) < len || strncasecmp(in->p, word, len) != 0) {
        return false;
    }
    in->p += len;
    return true;
}

static bool put_literal(jrpc_lenient *in, const char *word)
{
    if (jrpc_lenient_has(in, JRPC_FAULT_TRUE_AS_NUMBER)) {
        word = word[0] == 't' ? "1" : "0";
    }
    return jrpc_buffer_append_str(in->out, word);
}

static bool take_nan(jrpc_lenient *in)
{
    if (!jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_NAN)) {
        return false;
    }
    in->p += jrpc_lenient_peek(in) == '-' || jrpc_lenient_peek(in) == '+' ? 1 : 0;
    return take_folded(in, "nan") || take_folded(in, "infinity") || take_folded(in, "inf");
}

static bool take_odd_word(jrpc_lenient *in)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *begin = in->p;
    while (in->p < in->end && isalpha((unsigned char)*in->p)) {
        in->p++;
    }
    size_t len = (size_t)(in->p - begin);
    for (size_t i = 0; i < 3; i++) {
        bool whole = len == strlen(words[i]) && strncasecmp(begin, words[i], len) == 0;
        bool cut = len > 0 && len < strlen(words[i]) && memcmp(begin, words[i], len) == 0;
        if ((whole && jrpc_lenient_has(in, JRPC_FAULT_LITERALS_IGNORE_CASE)) ||
            (cut && jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_CUT_LITERALS))) {
            in->closing = in->closing || (cut && in->p == in->end);
            return jrpc_buffer_append_str(in->out, words[i]);
        }
    }
    in->p = begin;
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_FULLWIDTH) && len == 0 && in->p < in->end &&
        (unsigned char)*in->p >= 0x80) {
        jrpc_lenient_skip_to(in, ",]}");
        return jrpc_buffer_append_str(in->out, "1");
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_BARE_WORDS) && in->p < in->end) {
        jrpc_lenient_skip_to(in, in->depth == 0 ? "" : ",]}");
        return in->p > begin && jrpc_buffer_append_str(in->out, "null");
    }
    return false;
}

bool jrpc_lenient_word(jrpc_lenient *in)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        const char *begin = in->p;
        if (!jrpc_lenient_take(in, words[i])) {
            continue;
        }
        bool suffix = in->p < in->end && isalnum((unsigned char)*in->p);
        if (suffix && jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_LITERAL_SUFFIX)) {
            while (in->p < in->end && isalnum((unsigned char)*in->p)) {
                in->p++;
            }
            suffix = false;
        }
        if (!suffix) {
            return put_literal(in, words[i]);
        }
        in->p = begin;
    }
    const char *begin = in->p;
    if (take_nan(in)) {
        return jrpc_buffer_append_str(in->out, "0");
    }
    in->p = begin;
    return take_odd_word(in);
}
