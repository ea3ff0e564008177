// Strings: read into their content, and written again.
#include "reference/adapter/lenient.h"

#include "reference/adapter/content.h"
#include "reference/base/utf8.h"
#include "reference/json/scan.h"
#include "reference/json/write.h"

#include <ctype.h>

static bool has(const jrpc_lenient *in, jrpc_parser_fault fault)
{
    return jrpc_lenient_has(in, fault);
}

// The texts that may open and close a string.
static const struct {
    const char *open, *close;
    jrpc_parser_fault fault; // NONE: always
} quotes[] = {
    {"\"", "\"", JRPC_FAULT_NONE},
    {"'", "'", JRPC_FAULT_ACCEPTS_SINGLE_QUOTES},
    {"'", "\"", JRPC_FAULT_ACCEPTS_MIXED_QUOTES},
    {"`", "`", JRPC_FAULT_ACCEPTS_BACKQUOTES},
    {"\xE2\x80\x9C", "\xE2\x80\x9D", JRPC_FAULT_ACCEPTS_TYPOGRAPHIC_QUOTES},
};

// The row of the quotes that open a string here; -1 if none do.
static int quote_at(const jrpc_lenient *in)
{
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        jrpc_slice rest = jrpc_slice_of(in->p, (size_t)(in->end - in->p));
        bool known = quotes[i].fault == JRPC_FAULT_NONE || has(in, quotes[i].fault);
        if (known && jrpc_slice_starts_with(rest, jrpc_slice_str(quotes[i].open))) {
            return (int)i;
        }
    }
    return -1;
}

bool jrpc_lenient_is_quote(const jrpc_lenient *in)
{
    return quote_at(in) >= 0;
}

// Up to four hexadecimal digits. False if there are fewer, or one that is refused.
static bool take_hex(jrpc_lenient *in, uint32_t *ret_unit)
{
    size_t count = 0;
    *ret_unit = 0;
    for (; count < 4 && in->p < in->end && jrpc_scan_hex(*in->p) >= 0; count++, in->p++) {
        if (has(in, JRPC_FAULT_REFUSES_CAPITAL_HEX) && isupper((unsigned char)*in->p)) {
            return false;
        }
        *ret_unit = *ret_unit << 4 | (uint32_t)jrpc_scan_hex(*in->p);
    }
    if (count < 4 && has(in, JRPC_FAULT_ACCEPTS_SHORT_UNICODE)) {
        in->p += in->p < in->end && (unsigned char)*in->p >= 0x80 ? 1 : 0;
        return true;
    }
    return count == 4;
}

static bool take_unicode(jrpc_lenient *in)
{
    uint32_t unit;
    uint32_t low;
    if (has(in, JRPC_FAULT_REFUSES_UNICODE_ESCAPES) || !take_hex(in, &unit)) {
        return false;
    }
    const char *behind = in->p;
    bool high = unit >= 0xD800 && unit <= 0xDBFF;
    if (high && jrpc_lenient_take(in, "\\u") && take_hex(in, &low) && low >= 0xDC00 &&
        low <= 0xDFFF) {
        if (has(in, JRPC_FAULT_REFUSES_PAIRS)) {
            return false;
        }
        if (has(in, JRPC_FAULT_PAIRS_APART)) {
            return jrpc_buffer_append_str(&in->content, "\xEF\xBF\xBD\xEF\xBF\xBD");
        }
        return jrpc_content_append(&in->content,
                                   0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
    }
    if (!has(in, JRPC_FAULT_ACCEPTS_SHORT_UNICODE)) {
        in->p = behind;
    }
    if (unit == '"' && has(in, JRPC_FAULT_UNICODE_QUOTE_UNESCAPED)) {
        return true;
    }
    return jrpc_content_append(&in->content, unit);
}

static bool take_unknown(jrpc_lenient *in)
{
    size_t len = in->p == in->end ? 0 : jrpc_utf8_sequence(in->p, (size_t)(in->end - in->p), NULL);
    len = len == 0 && in->p < in->end ? 1 : len;
    in->p += len;
    return len > 0 && has(in, JRPC_FAULT_ACCEPTS_UNKNOWN_ESCAPES) &&
           jrpc_buffer_append(&in->content, jrpc_slice_of(in->p - len, len));
}

// What follows a backslash.
static bool take_escape(jrpc_lenient *in)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    int c = jrpc_lenient_peek(in);
    in->escaped = true;
    if (c == 'u') {
        in->p++;
        return take_unicode(in);
    }
    const char *known = c <= 0 ? NULL : strchr(from, c);
    if (known == NULL) {
        return take_unknown(in);
    }
    in->p++;
    bool refused = (has(in, JRPC_FAULT_REFUSES_ESCAPES) && strchr("\"\\nt", c) != NULL) ||
                   (has(in, JRPC_FAULT_REFUSES_ESCAPED_SLASH) && c == '/') ||
                   (has(in, JRPC_FAULT_REFUSES_RARE_ESCAPES) && (c == 'b' || c == 'f'));
    return !refused && jrpc_buffer_append_char(&in->content, to[known - from]);
}

static bool takes_control(const jrpc_lenient *in, int c)
{
    return c == '\t'                ? has(in, JRPC_FAULT_ACCEPTS_RAW_TAB)
           : c == '\n' || c == '\r' ? has(in, JRPC_FAULT_ACCEPTS_RAW_LINE_FEED)
                                    : has(in, JRPC_FAULT_ACCEPTS_RAW_CONTROL);
}

// Bytes that are not UTF-8, as far as the fault accepts them.
static bool take_bad_utf8(jrpc_lenient *in)
{
    unsigned char lead = (unsigned char)*in->p;
    size_t announced = lead >= 0xFC   ? 6
                       : lead >= 0xF8 ? 5
                       : lead >= 0xF0 ? 4
                       : lead >= 0xE0 ? 3
                       : lead >= 0xC0 ? 2
                                      : 0;
    size_t len = 1;
    while (len < announced && in->p + len < in->end && ((unsigned char)in->p[len] & 0xC0) == 0x80) {
        len++;
    }
    unsigned char second = len > 1 ? (unsigned char)in->p[1] : 0;
    bool whole = announced > 0 && len == announced;
    bool overlong = lead == 0xC0 || lead == 0xC1 || (lead == 0xE0 && second < 0xA0) ||
                    (lead == 0xF0 && second < 0x90);
    bool surrogate = lead == 0xED && second >= 0xA0;
    bool taken = has(in, JRPC_FAULT_ACCEPTS_ANY_BYTES) ||
                 (has(in, JRPC_FAULT_ACCEPTS_CUT_UTF8) && announced > 0 && !whole) ||
                 (has(in, JRPC_FAULT_ACCEPTS_OVERLONG) && whole && overlong) ||
                 (has(in, JRPC_FAULT_ACCEPTS_ENCODED_SURROGATES) && whole && surrogate) ||
                 (has(in, JRPC_FAULT_ACCEPTS_BEYOND_UNICODE) && whole && lead >= 0xF4);
    in->p += len;
    return taken && jrpc_buffer_append_char(&in->content, '?');
}

static bool take_character(jrpc_lenient *in)
{
    int c = jrpc_lenient_peek(in);
    if (c == '\\') {
        in->p++;
        if (in->p == in->end && has(in, JRPC_FAULT_CLOSES_STRINGS)) {
            return true;
        }
        return take_escape(in) || (in->p == in->end && has(in, JRPC_FAULT_CLOSES_STRINGS));
    }
    if (c < 0x20 && !takes_control(in, c)) {
        return false;
    }
    size_t len = jrpc_utf8_sequence(in->p, (size_t)(in->end - in->p), NULL);
    if (len == 0) {
        return take_bad_utf8(in) || (has(in, JRPC_FAULT_CLOSES_STRINGS) && in->p == in->end);
    }
    in->p += len;
    return jrpc_buffer_append(&in->content, jrpc_slice_of(in->p - len, len));
}

bool jrpc_lenient_string(jrpc_lenient *in)
{
    int quote = quote_at(in);
    jrpc_buffer_clear(&in->content);
    in->escaped = false;
    if (quote < 0) {
        return false;
    }
    in->p += strlen(quotes[quote].open);
    while (!jrpc_lenient_take(in, quotes[quote].close)) {
        if (in->p == in->end) {
            in->closing = has(in, JRPC_FAULT_CLOSES_STRINGS);
            return in->closing;
        }
        if (!take_character(in)) {
            return false;
        }
    }
    return true;
}

bool jrpc_lenient_put(jrpc_lenient *in, bool name)
{
    if (jrpc_content_refused(in->fault, &in->content, name, in->escaped)) {
        return false;
    }
    jrpc_content_change(in->fault, &in->content, name);
    jrpc_slice content = jrpc_buffer_slice(&in->content);
    bool digits = content.len > 0;
    for (size_t i = 0; i < content.len; i++) {
        digits = digits && isdigit((unsigned char)content.ptr[i]);
    }
    if (!name && has(in, JRPC_FAULT_STRINGS_AS_NUMBERS) && digits) {
        return jrpc_buffer_append(in->out, content);
    }
    bool literal = jrpc_slice_is(content, "null") || jrpc_slice_is(content, "true") ||
                   jrpc_slice_is(content, "NaN");
    if (!name && has(in, JRPC_FAULT_STRINGS_AS_LITERALS) && literal) {
        return jrpc_buffer_append_str(in->out, "null");
    }
    return jrpc_json_quote(in->out, content);
}
