#include "harness/generate/values.h"

#include <inttypes.h>
#include <string.h>

// Longer than any buffer that a reader might have for a number.
#define DIGITS_MOST 1100u
// The most repetitions of one piece in a String.
#define TEXT_UNITS 1100u
// Plain Number ids are smaller than this.
#define IDS_MOST (1u << 24)

static bool one_in(jrpc_random *random, uint64_t bound)
{
    return jrpc_random_below(random, bound) == 0;
}

size_t jck_value_size(jrpc_random *random, size_t most)
{
    size_t size = (size_t)jrpc_random_below(random, 4);
    if (one_in(random, 2)) {
        size_t bits = 0;
        while (((size_t)2 << bits) <= most) {
            bits++;
        }
        // The smaller of two random numbers, so that large ones are rare.
        size_t a = (size_t)jrpc_random_below(random, bits + 1);
        size_t b = (size_t)jrpc_random_below(random, bits + 1);
        size = ((size_t)1 << (a < b ? a : b)) + (size_t)jrpc_random_below(random, 3) - 1;
        size = one_in(random, 8) ? (size_t)jrpc_random_below(random, most + 1) : size;
    }
    return size < most ? size : most;
}

// Contents of a String, already escaped.
static const char *const plain_pieces[] = {
    "a",
    "id",
    "0",
    "null",
    "2.0",
    " ",
    "\\\"",
    "\\\\",
    "/",
    "\\/",
    "\\n",
    "\\t",
    "\\r",
    "\\b",
    "\\f",
    "é",
    "😀",
    "日本",
    "e\u0301", // two code points that some treat as one
    "\\u00e9",
    "\\u0041",
    "\\u001f",
    "\\u007f",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "'",
    "%s",
    "\x7f",
    "$",
    "\\ud83d\\ude00",
    "\\uD83D\\uDE00",
    "\\u2028",
    "\xE2\x80\xA8",
    "\\ufeff",
    "<b>",
    "..",
    "-1",
    "true",
    "\\u005c",
};
static const char *const odd_pieces[] = {"\\u0000", "\\ud800",  "\\udc00", "\\udfff\\ud800",
                                         "\\uDBFF", "\\ud83dx", "\\uffff"};

// Strings that some servers mistake for a value of another type, or decode a second time.
static const char *const whole_texts[] = {
    "2026-01-02T03:04:05Z",
    "2026-01-02",
    "03:04:05",
    "01234567-89ab-cdef-0123-456789abcdef",
    "007",
    "1e3",
    "1.0",
    "+1",
    "0x1F",
    "1_000",
    "12345678901234567890",
    "-0",
    "NaN",
    "Infinity",
    "false",
    "None",
    "nil",
    "undefined",
    "yes",
    "[]",
    "{}",
    "[1]",
    "%41",
    "%00",
    "&lt;",
    "&#65;",
    "\\\\u0041",
    "\\\\n",
    "=?UTF-8?Q?a?=",
    "QUJD",
    "\\\"a\\\"",
    "\\u0022a\\u0022",
    "A",
    " a ",
    "a\\u0301",
    "constructor",
    "__proto__",
    "$ref",
    "a,b",
    "a;b",
    "a=b",
    "a.b",
    "a|b",
};

static void append_string(jrpc_random *random, bool plain, jrpc_buffer *out)
{
    (void)jrpc_buffer_append_char(out, '"');
    if (one_in(random, 12)) {
        (void)jrpc_buffer_append_str(out, JRPC_RANDOM_PICK(random, whole_texts));
        (void)jrpc_buffer_append_char(out, '"');
        return;
    }
    if (one_in(random, 24)) {
        const char *unit = JRPC_RANDOM_PICK(random, plain_pieces);
        for (size_t i = jck_value_size(random, TEXT_UNITS); i > 0; i--) {
            (void)jrpc_buffer_append_str(out, unit);
        }
    }
    for (size_t i = (size_t)jrpc_random_below(random, 6); i > 0; i--) {
        bool odd = !plain && one_in(random, 12);
        (void)jrpc_buffer_append_str(out, odd ? JRPC_RANDOM_PICK(random, odd_pieces)
                                              : JRPC_RANDOM_PICK(random, plain_pieces));
    }
    (void)jrpc_buffer_append_char(out, '"');
}

static const char *const plain_numbers[] = {"0",
                                            "1",
                                            "-1",
                                            "2",
                                            "7",
                                            "10",
                                            "127",
                                            "128",
                                            "-128",
                                            "-129",
                                            "255",
                                            "256",
                                            "32767",
                                            "32768",
                                            "-32769",
                                            "65535",
                                            "65536",
                                            "2147483647",
                                            "2147483648",
                                            "-2147483648",
                                            "-2147483649",
                                            "4294967295",
                                            "4294967296",
                                            "9007199254740991",
                                            "-9007199254740991",
                                            "1700000000123",
                                            "999999999999999"};
static const char *const odd_numbers[] = {"-0",
                                          "0.0",
                                          "-0.0",
                                          "1.0",
                                          "1.5",
                                          "-2.25",
                                          "0.1",
                                          "1e2",
                                          "1E2",
                                          "1e+2",
                                          "100e-2",
                                          "0e7",
                                          "1.500",
                                          "1e007",
                                          "9007199254740992",
                                          "9007199254740993",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "-9223372036854775808",
                                          "-9223372036854775809",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "340282366920938463463374607431768211456",
                                          "1e308",
                                          "1e309",
                                          "-1e400",
                                          "1e-400",
                                          "5e-324",
                                          "0.30000000000000004",
                                          "0.12345678901234567890123",
                                          "123456789012345678901234567890",
                                          "1e00000000000000000001",
                                          "1e-00000000000000000001",
                                          "1e18446744073709551616",
                                          "1e99999999999999999999",
                                          "1e-99999999999999999999",
                                          "0e99999999999999999999",
                                          "1.7976931348623157e308",
                                          "2.2250738585072011e-308",
                                          "1e23",
                                          "3.14159265358979"};

void jck_value_small(jrpc_random *random, jrpc_buffer *out)
{
    int64_t number = (int64_t)jrpc_random_below(random, 1u << 20) - (1 << 19);
    (void)jrpc_buffer_append_number(out, one_in(random, 3) ? number % 10 : number);
}

static void append_number(jrpc_random *random, bool plain, jrpc_buffer *out)
{
    if (one_in(random, 3)) {
        jck_value_small(random, out);
        return;
    }
    bool odd = !plain && one_in(random, 2);
    if (odd && one_in(random, 4)) {
        // Any number of digits on both sides of the point.
        (void)jrpc_buffer_append_str(out, one_in(random, 4) ? "-1" : "1");
        size_t digits = one_in(random, 60) ? DIGITS_MOST : jck_value_size(random, 80);
        for (size_t i = digits; i > 0; i--) {
            (void)jrpc_buffer_append_char(out, (char)('0' + jrpc_random_below(random, 10)));
        }
        if (one_in(random, 2)) {
            (void)jrpc_buffer_printf(out, ".%" PRIu64, jrpc_random_next(random));
        }
        if (one_in(random, 3)) {
            (void)jrpc_buffer_printf(out, "e%s%" PRIu64, one_in(random, 2) ? "-" : "",
                                     jrpc_random_next(random) >> jrpc_random_below(random, 64));
        }
        return;
    }
    (void)jrpc_buffer_append_str(out, odd ? JRPC_RANDOM_PICK(random, odd_numbers)
                                          : JRPC_RANDOM_PICK(random, plain_numbers));
}

void jck_value_id(jrpc_random *random, bool plain, jrpc_buffer *out)
{
    if (!plain && one_in(random, 30)) {
        (void)jrpc_buffer_append_str(out, "null");
    } else if (!one_in(random, 2)) {
        append_string(random, plain, out);
    } else if (one_in(random, 2)) {
        // Messages in flight have different ids, so most are none of the few at a boundary.
        (void)jrpc_buffer_append_number(out, (int64_t)jrpc_random_below(random, IDS_MOST));
    } else {
        append_number(random, plain, out);
    }
}

static const char *const names[] = {
    "a",     "b",         "params", "id",     "method", "jsonrpc", "",         "result",
    "error", "__proto__", "x y",    "length", "0",      "é",       "\\u0061",  "constructor",
    "A",     "nested",    "self",   "args",   "kwargs", "this",    "callback", "e\u0301"};

const char *jck_value_name(size_t index)
{
    return names[index % (sizeof names / sizeof *names)];
}

static void append_value(jrpc_random *random, unsigned depth, bool plain, jrpc_buffer *out);

static void append_object(jrpc_random *random, unsigned depth, bool plain, jrpc_buffer *out)
{
    // Consecutive names of the table, so that none occurs twice unless intended; "a" has two
    // spellings.
    size_t count = (size_t)jrpc_random_below(random, 5);
    size_t first = (size_t)jrpc_random_below(random, sizeof names / sizeof *names);
    bool twice = !plain && one_in(random, 16);
    (void)jrpc_buffer_append_char(out, '{');
    for (size_t i = 0; i < count; i++) {
        size_t at = (first + (twice ? 0 : i)) % (sizeof names / sizeof *names);
        bool alias = plain && strcmp(names[at], "\\u0061") == 0;
        (void)jrpc_buffer_append_str(out, i == 0 ? "\"" : ",\"");
        (void)jrpc_buffer_append_str(out, alias ? "alias" : names[at]);
        (void)jrpc_buffer_append_str(out, "\":");
        append_value(random, depth - 1, plain, out);
    }
    (void)jrpc_buffer_append_char(out, '}');
}

static void append_array(jrpc_random *random, unsigned depth, bool plain, jrpc_buffer *out)
{
    size_t count = one_in(random, 8) ? jck_value_size(random, 40) : jrpc_random_below(random, 4);
    (void)jrpc_buffer_append_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? "" : ",");
        append_value(random, depth - 1, plain, out);
    }
    (void)jrpc_buffer_append_char(out, ']');
}

// Recursion is bounded by `depth`: callers pass a few levels.
static void append_value(jrpc_random *random, unsigned depth, bool plain, jrpc_buffer *out)
{
    static const char *const literals[] = {"null", "true", "false"};
    switch (jrpc_random_below(random, depth > 0 ? 8 : 5)) {
    case 0:
        (void)jrpc_buffer_append_str(out, JRPC_RANDOM_PICK(random, literals));
        break;
    case 1:
    case 2:
        append_number(random, plain, out);
        break;
    case 3:
    case 4:
        append_string(random, plain, out);
        break;
    case 5:
        append_object(random, depth, plain, out);
        break;
    default:
        append_array(random, depth, plain, out);
        break;
    }
}

void jck_value_any(jrpc_random *random, unsigned depth, jrpc_buffer *out)
{
    append_value(random, depth, false, out);
}

void jck_value_plain(jrpc_random *random, unsigned depth, jrpc_buffer *out)
{
    append_value(random, depth, true, out);
}

void jck_value_text(jrpc_random *random, jrpc_buffer *out)
{
    append_string(random, true, out);
}
