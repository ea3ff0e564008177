// Faults in encodings, and in numbers that JSON does not have.
#include "reference/base/utf8.h"
#include "reference/server/lenient.h"

#include <string.h>

// A byte that is no UTF-8 travels through the reader as U+10FF00 and its value.
static const char carrier[] = "\xF4\x8F\xBC";

static size_t carry_byte(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
    unsigned char byte = (unsigned char)text.ptr[at];
    if (len > 0) {
        jrpc_buffer_append(out, jrpc_slice_of(text.ptr + at, len));
        return len;
    }
    jrpc_buffer_append_str(out, "\xF4\x8F");
    jrpc_buffer_append_char(out, (char)(0xBC | byte >> 6));
    jrpc_buffer_append_char(out, (char)(0x80 | (byte & 0x3F)));
    return 1;
}

static size_t deliver_byte(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    jrpc_slice rest = jrpc_slice_from(text, at);
    if (rest.len < 4 || memcmp(rest.ptr, carrier, 2) != 0 || (unsigned char)rest.ptr[2] < 0xBC) {
        return 0;
    }
    jrpc_buffer_append_char(
        out, (char)(((unsigned char)rest.ptr[2] & 3u) << 6 | ((unsigned char)rest.ptr[3] & 0x3Fu)));
    return 4;
}

static const jrpc_fault deliver_row = {.step = deliver_byte};

static bool deliver_bytes(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_bend inside = *bend;
    inside.fault = &deliver_row;
    jrpc_lenient_inside(&inside, payload);
    return true;
}

static size_t replace_byte(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
    jrpc_buffer_append(out,
                       len > 0 ? jrpc_slice_of(text.ptr + at, len) : JRPC_SLICE("\xEF\xBF\xBD"));
    return len > 0 ? len : 1;
}

// Appends one Unicode scalar value as UTF-8.
static void put_utf8(jrpc_buffer *out, uint32_t c)
{
    char bytes[4];
    jrpc_buffer_append(out, jrpc_slice_of(bytes, jrpc_utf8_encode(c, bytes)));
}

static uint32_t unit16(jrpc_slice text, size_t at, bool big)
{
    if (at + 2 > text.len) {
        return 0;
    }
    uint32_t first = (unsigned char)text.ptr[at];
    uint32_t second = (unsigned char)text.ptr[at + 1];
    return big ? first << 8 | second : second << 8 | first;
}

static void from_utf16(jrpc_bend *bend, jrpc_slice *text)
{
    bool big_mark = jrpc_slice_starts_with(*text, JRPC_SLICE("\xFE\xFF"));
    bool little_mark = jrpc_slice_starts_with(*text, JRPC_SLICE("\xFF\xFE"));
    bool big_bare = text->len >= 2 && text->ptr[0] == '\0';
    bool little_bare = text->len >= 2 && text->ptr[1] == '\0';
    if (!big_mark && !little_mark && !big_bare && !little_bare) {
        return;
    }
    bool big = big_mark || big_bare;
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = big_mark || little_mark ? 2 : 0; i + 1 < text->len; i += 2) {
        uint32_t unit = unit16(*text, i, big);
        uint32_t next = unit16(*text, i + 2, big);
        if (unit >= 0xD800 && unit < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
            unit = 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00);
            i += 2;
        }
        put_utf8(&out, unit);
    }
    *text = jrpc_buffer_slice(&out);
}

// NaN travels through the reader as a string that no message holds.
static const struct {
    const char *text, *carrier;
} not_numbers[] = {
    {"NaN", "\"\xF4\x8F\xBC\x81NaN\""},
    {"-Infinity", "\"\xF4\x8F\xBC\x81-Infinity\""},
    {"Infinity", "\"\xF4\x8F\xBC\x81Infinity\""},
};

static size_t carry_nan(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    for (size_t i = 0; i < sizeof not_numbers / sizeof *not_numbers; i++) {
        jrpc_slice word = jrpc_slice_str(not_numbers[i].text);
        if (jrpc_slice_starts_with(jrpc_slice_from(text, at), word)) {
            jrpc_buffer_append_str(out, not_numbers[i].carrier);
            return word.len;
        }
    }
    return 0;
}

static bool deliver_nan(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < payload->len;) {
        size_t len = 1;
        jrpc_slice put = jrpc_slice_of(payload->ptr + i, 1);
        for (size_t j = 0; j < sizeof not_numbers / sizeof *not_numbers; j++) {
            jrpc_slice word = jrpc_slice_str(not_numbers[j].carrier);
            if (jrpc_slice_starts_with(jrpc_slice_from(*payload, i), word)) {
                put = jrpc_slice_str(not_numbers[j].text);
                len = word.len;
            }
        }
        jrpc_buffer_append(&out, put);
        i += len;
    }
    *payload = jrpc_buffer_slice(&out);
    return true;
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("utf8-unchecked", "JS-utf8",
              "invalid UTF-8 inside of strings and names is accepted, and echoed (ids, echo) byte "
              "for byte"),
     .text = jrpc_lenient_inside, .step = carry_byte, .outgoing = deliver_bytes},
    {JRPC_ROW("utf8-replaced", "JS-utf8",
              "each byte that belongs to no valid UTF-8 sequence inside of a string or name is "
              "read as U+FFFD"),
     .text = jrpc_lenient_inside, .step = replace_byte},
    {JRPC_ROW("utf16-accepted", "JS-utf8",
              "a text of UTF-16 (FE FF or FF FE first, or a zero byte among the first two) is "
              "converted to UTF-8 before it is read"),
     .text = from_utf16},
    {JRPC_ROW("nan-echoed", "J2-5j",
              "the reader accepts NaN, Infinity and -Infinity as Numbers, and echo writes them as "
              "spelled"),
     .text = jrpc_lenient_outside, .step = carry_nan, .outgoing = deliver_nan},
};

const jrpc_fault_table jrpc_faults_encoding = JRPC_FAULT_TABLE(rows);
