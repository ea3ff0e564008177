// Faults in the id that a Response carries: rules J2-4e to J2-4k.
#include "reference/json/equal.h"
#include "reference/server/bend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_string(jrpc_slice id)
{
    return id.len >= 2 && id.ptr[0] == '"';
}

static bool is_number(jrpc_slice id)
{
    return id.len > 0 && (id.ptr[0] == '-' || (id.ptr[0] >= '0' && id.ptr[0] <= '9'));
}

static double as_double(jrpc_bend *bend, jrpc_slice number)
{
    return strtod(jrpc_bend_copy(bend, number).ptr, NULL);
}

static jrpc_slice printed(jrpc_bend *bend, const char *text)
{
    return jrpc_bend_copy(bend, jrpc_slice_str(text));
}

static jrpc_slice number_as_string(jrpc_bend *bend, jrpc_slice id)
{
    return is_number(id) ? jrpc_bend_quote(bend, id, id) : id;
}

static jrpc_slice string_as_number(jrpc_bend *bend, jrpc_slice id)
{
    (void)bend;
    if (!is_string(id) || id.len == 2 || (id.ptr[1] == '0' && id.len > 3)) {
        return id;
    }
    for (size_t i = 1; i + 1 < id.len; i++) {
        if (id.ptr[i] < '0' || id.ptr[i] > '9') {
            return id;
        }
    }
    return jrpc_slice_of(id.ptr + 1, id.len - 2);
}

static jrpc_slice lose_falsy(jrpc_bend *bend, jrpc_slice id)
{
    (void)bend;
    return jrpc_slice_is(id, "0") || jrpc_slice_is(id, "-0") || jrpc_slice_is(id, "0.0") ||
                   jrpc_slice_is(id, "\"\"")
               ? JRPC_SLICE("null")
               : id;
}

static jrpc_slice cut_at_nul(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content)) {
        return id;
    }
    const char *nul = memchr(content.ptr, '\0', content.len);
    return nul == NULL
               ? id
               : jrpc_bend_quote(bend, jrpc_slice_of(content.ptr, (size_t)(nul - content.ptr)), id);
}

static jrpc_slice truncate_fraction(jrpc_bend *bend, jrpc_slice id)
{
    (void)bend;
    const char *point = is_number(id) ? memchr(id.ptr, '.', id.len) : NULL;
    bool exponent = point != NULL &&
                    (memchr(id.ptr, 'e', id.len) != NULL || memchr(id.ptr, 'E', id.len) != NULL);
    return point == NULL || exponent ? id : jrpc_slice_of(id.ptr, (size_t)(point - id.ptr));
}

static jrpc_slice cut_long(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content) || content.len <= 255) {
        return id;
    }
    content.len = 255;
    return jrpc_bend_quote(bend, content, id);
}

// Replaces every character of at least `first_byte`'s length of UTF-8.
static jrpc_slice replace_characters(jrpc_bend *bend, jrpc_slice id, unsigned char first_byte,
                                     const char *with)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content)) {
        return id;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    bool changed = false;
    for (size_t i = 0; i < content.len; i++) {
        unsigned char byte = (unsigned char)content.ptr[i];
        if (byte < first_byte) {
            jrpc_buffer_append_char(&out, content.ptr[i]);
            continue;
        }
        changed = true;
        jrpc_buffer_append_str(&out, with);
        while (i + 1 < content.len && ((unsigned char)content.ptr[i + 1] & 0xC0u) == 0x80u) {
            i++;
        }
    }
    return changed ? jrpc_bend_quote(bend, jrpc_buffer_slice(&out), id) : id;
}

static jrpc_slice damage_nonbmp(jrpc_bend *bend, jrpc_slice id)
{
    return replace_characters(bend, id, 0xF0, "\xEF\xBF\xBD");
}

static jrpc_slice damage_nonascii(jrpc_bend *bend, jrpc_slice id)
{
    return replace_characters(bend, id, 0x80, "?");
}

static jrpc_slice double_escapes(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < id.len; i++) {
        if (id.ptr[i] == '\\') {
            jrpc_buffer_append_str(&out, "\\\\");
            // An escaped quotation mark would end the string too early.
            if (i + 1 < id.len && id.ptr[i + 1] == '"') {
                jrpc_buffer_append_str(&out, "\\");
            } else if (i + 1 < id.len && id.ptr[i + 1] == '\\') {
                jrpc_buffer_append_str(&out, "\\\\");
                i++;
            }
        } else {
            jrpc_buffer_append_char(&out, id.ptr[i]);
        }
    }
    return jrpc_buffer_slice(&out);
}

static jrpc_slice fold_case(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    return jrpc_bend_content(bend, id, &content)
               ? jrpc_bend_quote(bend, jrpc_bend_lower(bend, content), id)
               : id;
}

static jrpc_slice trim(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    return jrpc_bend_content(bend, id, &content)
               ? jrpc_bend_quote(bend, jrpc_bend_trim(content), id)
               : id;
}

static jrpc_slice escape_html(jrpc_bend *bend, jrpc_slice id)
{
    if (!is_string(id)) {
        return id;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < id.len; i++) {
        switch (id.ptr[i]) {
        case '<':
            jrpc_buffer_append_str(&out, "&lt;");
            break;
        case '>':
            jrpc_buffer_append_str(&out, "&gt;");
            break;
        case '&':
            jrpc_buffer_append_str(&out, "&amp;");
            break;
        default:
            jrpc_buffer_append_char(&out, id.ptr[i]);
        }
    }
    return jrpc_buffer_slice(&out);
}

static jrpc_slice lose_sign(jrpc_bend *bend, jrpc_slice id)
{
    (void)bend;
    return is_number(id) && id.ptr[0] == '-' ? jrpc_slice_from(id, 1) : id;
}

static jrpc_slice six_digits(jrpc_bend *bend, jrpc_slice id)
{
    if (!is_number(id)) {
        return id;
    }
    double value = as_double(bend, id);
    char text[64];
    (void)snprintf(text, sizeof text, "%g", value);
    return isinf(value) ? JRPC_SLICE("null") : printed(bend, text);
}

static jrpc_slice through_double(jrpc_bend *bend, jrpc_slice id)
{
    if (!is_number(id)) {
        return id;
    }
    double value = as_double(bend, id);
    char text[64];
    (void)snprintf(text, sizeof text, "%.17g", value);
    return isinf(value) ? JRPC_SLICE("null") : printed(bend, text);
}

static jrpc_slice low_32_bits(jrpc_bend *bend, jrpc_slice id)
{
    if (!is_number(id) || jrpc_bend_is_fraction(id)) {
        return id;
    }
    // The low 32 bits of a decimal of any length, digit by digit.
    bool negative = id.ptr[0] == '-';
    uint32_t bits = 0;
    for (size_t i = negative ? 1 : 0; i < id.len; i++) {
        bits = bits * 10u + (uint32_t)(id.ptr[i] - '0');
    }
    bits = negative ? 0u - bits : bits;
    char text[32];
    (void)snprintf(text, sizeof text, "%lld",
                   bits > INT32_MAX ? (long long)bits - 4294967296LL : (long long)bits);
    return printed(bend, text);
}

static jrpc_slice saturate_int64(jrpc_bend *bend, jrpc_slice id)
{
    int64_t value;
    if (!is_number(id) || jrpc_bend_is_fraction(id) ||
        jrpc_json_int64(jrpc_bend_json(bend, id), &value)) {
        return id;
    }
    return id.ptr[0] == '-' ? JRPC_SLICE("-9223372036854775808")
                            : JRPC_SLICE("9223372036854775807");
}

static jrpc_slice null_if_huge(jrpc_bend *bend, jrpc_slice id)
{
    (void)bend;
    return is_number(id) && (jrpc_json_number_compare(id, JRPC_SLICE("9007199254740992")) > 0 ||
                             jrpc_json_number_compare(id, JRPC_SLICE("-9007199254740992")) < 0)
               ? JRPC_SLICE("null")
               : id;
}

static jrpc_slice complete_date(jrpc_bend *bend, jrpc_slice id)
{
    static const char form[] = "\"0000-00-00T00:00:00Z\"";
    if (id.len != sizeof form - 1) {
        return id;
    }
    for (size_t i = 0; i < id.len; i++) {
        bool digit = id.ptr[i] >= '0' && id.ptr[i] <= '9';
        if (form[i] == '0' ? !digit : form[i] != id.ptr[i]) {
            return id;
        }
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append(&out, jrpc_slice_of(id.ptr, id.len - 2));
    jrpc_buffer_append_str(&out, ".000Z\"");
    return jrpc_buffer_slice(&out);
}

static jrpc_slice convert_literal(jrpc_bend *bend, jrpc_slice id)
{
    (void)bend;
    return jrpc_slice_is(id, "\"true\"") || jrpc_slice_is(id, "\"false\"") ||
                   jrpc_slice_is(id, "\"null\"")
               ? jrpc_slice_of(id.ptr + 1, id.len - 2)
               : id;
}

static jrpc_slice raw_control(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content)) {
        return id;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    bool changed = false;
    for (size_t i = 0; i < content.len; i++) {
        jrpc_slice one = jrpc_slice_of(content.ptr + i, 1);
        if ((unsigned char)one.ptr[0] < 0x20) {
            changed = true;
            jrpc_buffer_append(&out, one);
        } else if (one.ptr[0] == '"' || one.ptr[0] == '\\') {
            jrpc_buffer_append_char(&out, '\\');
            jrpc_buffer_append(&out, one);
        } else {
            jrpc_buffer_append(&out, one);
        }
    }
    if (!changed) {
        return id;
    }
    jrpc_buffer quoted = jrpc_bend_buffer(bend);
    jrpc_buffer_append_char(&quoted, '"');
    jrpc_buffer_append(&quoted, jrpc_buffer_slice(&out));
    jrpc_buffer_append_char(&quoted, '"');
    return jrpc_buffer_slice(&quoted);
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("id-number-as-string", "J2-4e",
              "a Number id is written as a String of the same spelling (1 as \"1\")"),
     JRPC_ROW_ID(number_as_string)},
    {JRPC_ROW("id-string-as-number", "J2-4e",
              "a String id of digits only is written as a Number (\"1\" as 1)"),
     JRPC_ROW_ID(string_as_number)},
    {JRPC_ROW("id-falsy-lost", "J2-4e", "the ids 0, -0, 0.0 and \"\" are written as null"),
     JRPC_ROW_ID(lose_falsy)},
    {JRPC_ROW("id-nul-cut", "J2-4e", "a String id is cut at the first escaped \\u0000"),
     JRPC_ROW_ID(cut_at_nul)},
    {JRPC_ROW("id-fraction-truncated", "J2-4e",
              "a Number id with a fraction is written as its integer part (1.5 as 1)"),
     JRPC_ROW_ID(truncate_fraction)},
    {JRPC_ROW("id-long-cut", "J2-4e",
              "a String id longer than 255 bytes is cut to 255 bytes (of plain ASCII)"),
     JRPC_ROW_ID(cut_long)},
    {JRPC_ROW("id-nonbmp-damaged", "J2-4e",
              "each character beyond U+FFFF of a String id (raw or as an escaped pair) is written "
              "as U+FFFD"),
     JRPC_ROW_ID(damage_nonbmp)},
    {JRPC_ROW("id-nonascii-damaged", "J2-4e",
              "each character beyond U+007F of a String id, raw or escaped, is written as \"?\""),
     JRPC_ROW_ID(damage_nonascii)},
    {JRPC_ROW(
         "id-escapes-doubled", "J2-4e",
         "each backslash of the id's spelling is written twice (\"\\u0041\" as \"\\\\u0041\")"),
     JRPC_ROW_ID(double_escapes)},
    {JRPC_ROW("id-case-folded", "J2-4e", "ASCII letters of a String id are written in lower case"),
     JRPC_ROW_ID(fold_case)},
    {JRPC_ROW("id-trimmed", "J2-4e",
              "leading and trailing spaces, tabs and line ends (escaped or raw) of a String id are "
              "left out"),
     JRPC_ROW_ID(trim)},
    {JRPC_ROW("id-html-escaped", "J2-4e", "< > & of a String id are written as &lt; &gt; &amp;"),
     JRPC_ROW_ID(escape_html)},
    {JRPC_ROW("id-sign-lost", "J2-4e", "the minus sign of a Number id is left out"),
     JRPC_ROW_ID(lose_sign)},
    {JRPC_ROW("id-six-digits", "J2-4e",
              "a Number id is written as printf(\"%g\") of its double (1234567 as 1.23457e+06)"),
     JRPC_ROW_ID(six_digits)},
    {JRPC_ROW("id-int32", "J2-4e",
              "an integer Number id is reduced to its low 32 bits as a signed integer (2147483648 "
              "as -2147483648)"),
     JRPC_ROW_ID(low_32_bits)},
    {JRPC_ROW(
         "id-date-converted", "J2-4e",
         "a String id that has the form YYYY-MM-DDTHH:MM:SSZ is written with \".000Z\" at its end"),
     JRPC_ROW_ID(complete_date)},
    {JRPC_ROW("id-literal-converted", "J2-4e",
              "the String ids \"true\", \"false\" and \"null\" are written as the literals"),
     JRPC_ROW_ID(convert_literal)},
    {JRPC_ROW("id-through-double", "J2-4k",
              "a Number id is written as printf(\"%.17g\") of its double, and null where that is "
              "infinite"),
     JRPC_ROW_ID(through_double)},
    {JRPC_ROW("result-id-through-double", "J2-4k",
              "beside a result, a Number id is written as printf(\"%.17g\") of its double"),
     JRPC_ROW_ID(through_double), .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("result-id-text-as-number", "J2-4e",
              "beside a result, a String id that spells a number is written as that Number"),
     JRPC_ROW_ID(string_as_number), .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("id-int64", "J2-4k",
              "an integer Number id beyond 64 bits signed is written as 9223372036854775807 (or "
              "its negative counterpart)"),
     JRPC_ROW_ID(saturate_int64)},
    {JRPC_ROW("id-huge-null", "J2-4k", "a Number id of a magnitude over 2^53 is written as null"),
     JRPC_ROW_ID(null_if_huge)},
    {JRPC_ROW("echo-raw-control", "J2-5j",
              "an escaped control character of an echoed id is written raw"),
     JRPC_ROW_ID(raw_control)},
};

const jrpc_fault_table jrpc_faults_id = JRPC_FAULT_TABLE(rows);
