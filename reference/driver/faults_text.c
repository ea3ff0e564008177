// Faults of a whole outgoing message, as text.
#include "reference/driver/change.h"

#include "reference/base/utf8.h"

#include <string.h>

static jrpc_slice put_before_end(jrpc_change *change, jrpc_slice text)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append(&out, jrpc_slice_of(text.ptr, text.len - 1));
    jrpc_buffer_append_str(&out, change->fault->spelling);
    jrpc_buffer_append_char(&out, text.ptr[text.len - 1]);
    return jrpc_buffer_slice(&out);
}

static jrpc_slice put_in_front(jrpc_change *change, jrpc_slice text)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append_str(&out, change->fault->spelling);
    jrpc_buffer_append(&out, text);
    return jrpc_buffer_slice(&out);
}

static jrpc_slice single_quotes(jrpc_change *change, jrpc_slice text)
{
    return jrpc_change_replace(change, text, "\"", "'");
}

static jrpc_slice infinity(jrpc_change *change, jrpc_slice text)
{
    return jrpc_change_replace(change, text, "1e400", "Infinity");
}

static jrpc_slice raw_control(jrpc_change *change, jrpc_slice text)
{
    return jrpc_change_replace(change, text, "\\t", "\t");
}

static jrpc_slice lone_slashes(jrpc_change *change, jrpc_slice text)
{
    return jrpc_change_replace(change, text, "\\\\", "\\");
}

// Writes every character beyond ASCII as one byte of Latin-1, or as a question mark.
static jrpc_slice latin1(jrpc_change *change, jrpc_slice text)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    for (size_t at = 0; at < text.len;) {
        size_t len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
        unsigned high = (unsigned char)text.ptr[at];
        if (len < 2) {
            jrpc_buffer_append_char(&out, text.ptr[at]);
            at++;
            continue;
        }
        unsigned low = (unsigned char)text.ptr[at + 1];
        unsigned code = (high & 3u) << 6 | (low & 0x3Fu);
        jrpc_buffer_append_char(&out, len == 2 && high < 0xC4 ? (char)code : '?');
        at += len;
    }
    return jrpc_buffer_slice(&out);
}

// Characters beyond the first plane as two surrogates of three bytes each.
static jrpc_slice cesu8(jrpc_change *change, jrpc_slice text)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    for (size_t at = 0; at < text.len;) {
        size_t len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
        const unsigned char *p = (const unsigned char *)text.ptr + at;
        if (len == 4) {
            uint32_t code = ((uint32_t)p[0] & 7u) << 18 | ((uint32_t)p[1] & 0x3Fu) << 12 |
                            ((uint32_t)p[2] & 0x3Fu) << 6 | ((uint32_t)p[3] & 0x3Fu);
            const uint32_t halves[] = {0xD800u + ((code - 0x10000u) >> 10),
                                       0xDC00u + ((code - 0x10000u) & 0x3FFu)};
            for (size_t i = 0; i < 2; i++) {
                jrpc_buffer_append_char(&out, (char)(0xE0u | halves[i] >> 12));
                jrpc_buffer_append_char(&out, (char)(0x80u | (halves[i] >> 6 & 0x3Fu)));
                jrpc_buffer_append_char(&out, (char)(0x80u | (halves[i] & 0x3Fu)));
            }
        } else {
            jrpc_buffer_append(&out, jrpc_slice_of(text.ptr + at, len == 0 ? 1 : len));
        }
        at += len == 0 ? 1 : len;
    }
    return jrpc_buffer_slice(&out);
}

static jrpc_slice ascii_only(jrpc_change *change, jrpc_slice text)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    for (size_t at = 0; at < text.len;) {
        size_t len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
        jrpc_buffer_append_char(&out, len < 2 ? text.ptr[at] : '?');
        at += len == 0 ? 1 : len;
    }
    return jrpc_buffer_slice(&out);
}

static jrpc_slice round_numbers(jrpc_change *change, jrpc_slice text)
{
    jrpc_json value = jrpc_change_leaves(change, jrpc_change_json(change, text), JRPC_JSON_NUMBER,
                                         jrpc_change_round);
    return jrpc_json_spelling(value);
}

static jrpc_slice wrapped(jrpc_change *change, jrpc_slice text)
{
    if (text.ptr[0] != '[') {
        return text;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append_char(&out, '[');
    jrpc_buffer_append(&out, text);
    jrpc_buffer_append_char(&out, ']');
    return jrpc_buffer_slice(&out);
}

static jrpc_slice bare_if_one(jrpc_change *change, jrpc_slice text)
{
    jrpc_json value = jrpc_change_json(change, text);
    return jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) == 1
               ? jrpc_json_spelling(jrpc_json_element(value, 0))
               : text;
}

static jrpc_slice without_last(jrpc_change *change, jrpc_slice text)
{
    jrpc_json value = jrpc_change_json(change, text);
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_count(value) < 2) {
        return text;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    for (uint32_t i = 0; i + 1 < jrpc_json_count(value); i++) {
        jrpc_buffer_append_char(&out, i == 0 ? '[' : ',');
        jrpc_buffer_append(&out, jrpc_json_spelling(jrpc_json_element(value, i)));
    }
    jrpc_buffer_append_char(&out, ']');
    return jrpc_buffer_slice(&out);
}

#define OUT(function) .outgoing = jrpc_row_outgoing, .respell = function

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("json-trailing-comma", "CL-7", "a comma stands before the last bracket"),
     OUT(put_before_end), .spelling = ","},
    {JRPC_CLIENT_ROW("json-cut", "CL-7", "a bracket too many closes every message"),
     OUT(put_before_end), .spelling = "}"},
    {JRPC_CLIENT_ROW("json-comment", "CL-7", "a comment stands in front of every message"),
     OUT(put_in_front), .spelling = "/* request */"},
    {JRPC_CLIENT_ROW("json-bom", "CL-7", "a byte-order mark stands in front of every message"),
     OUT(put_in_front), .spelling = "\xEF\xBB\xBF"},
    {JRPC_CLIENT_ROW("json-single-quotes", "CL-7", "strings are written in single quotes"),
     OUT(single_quotes)},
    {JRPC_CLIENT_ROW("json-infinity", "CL-7", "a Number too large for a double is Infinity"),
     OUT(infinity)},
    {JRPC_CLIENT_ROW("json-raw-control", "CL-7", "a tab in a String is not escaped"),
     OUT(raw_control)},
    {JRPC_CLIENT_ROW("json-backslash-raw", "CL-7", "a backslash in a String is not escaped"),
     OUT(lone_slashes)},
    {JRPC_CLIENT_ROW("json-latin1", "CL-7", "messages are encoded in Latin-1"), OUT(latin1)},
    {JRPC_CLIENT_ROW("json-cesu8", "CL-7", "characters past U+FFFF are two encoded surrogates"),
     OUT(cesu8)},
    {JRPC_CLIENT_ROW("json-ascii-only", "CL-3", "characters that are not ASCII become ?"),
     OUT(ascii_only)},
    {JRPC_CLIENT_ROW("params-integers-rounded", "CL-3",
                     "Numbers are sent as doubles: 2^53+1 becomes 2^53"),
     OUT(round_numbers)},
    {JRPC_CLIENT_ROW("batch-nested", "CL-8", "a batch is an Array with an Array in it"),
     OUT(wrapped)},
    {JRPC_CLIENT_ROW("batch-of-one-bare", "CL-8", "a batch of one is sent as a bare Object"),
     OUT(bare_if_one)},
    {JRPC_CLIENT_ROW("batch-last-dropped", "CL-8", "the last Request of a batch is not sent"),
     OUT(without_last)},
};

const jrpc_client_fault_table jrpc_client_faults_text = JRPC_CLIENT_FAULT_TABLE(rows);
