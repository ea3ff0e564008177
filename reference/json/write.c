#include "reference/json/write.h"

#include "reference/base/utf8.h"
#include "reference/json/scan.h"

#include <assert.h>

void jrpc_json_writer_init(jrpc_json_writer *writer, jrpc_buffer *buffer)
{
    *writer = (jrpc_json_writer){.buffer = buffer};
}

static void begin_value(jrpc_json_writer *writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    // Past the last level nothing is remembered: the write has failed already.
    if (writer->depth == 0 || writer->depth > JRPC_JSON_WRITER_DEPTH) {
        return;
    }
    bool *first = &writer->first[writer->depth - 1];
    if (!*first) {
        (void)jrpc_buffer_append_char(writer->buffer, ',');
    }
    *first = false;
}

static void begin_container(jrpc_json_writer *writer, char bracket)
{
    begin_value(writer);
    if (writer->depth >= JRPC_JSON_WRITER_DEPTH) {
        writer->buffer->failed = true;
    } else {
        writer->first[writer->depth] = true;
    }
    writer->depth++;
    (void)jrpc_buffer_append_char(writer->buffer, bracket);
}

static void end_container(jrpc_json_writer *writer, char bracket)
{
    assert(writer->depth > 0);
    assert(!writer->after_key);
    writer->depth--;
    (void)jrpc_buffer_append_char(writer->buffer, bracket);
}

void jrpc_json_write_begin_object(jrpc_json_writer *writer)
{
    begin_container(writer, '{');
}

void jrpc_json_write_end_object(jrpc_json_writer *writer)
{
    end_container(writer, '}');
}

void jrpc_json_write_begin_array(jrpc_json_writer *writer)
{
    begin_container(writer, '[');
}

void jrpc_json_write_end_array(jrpc_json_writer *writer)
{
    end_container(writer, ']');
}

void jrpc_json_write_key(jrpc_json_writer *writer, const char *name)
{
    jrpc_json_write_key_slice(writer, jrpc_slice_str(name));
}

void jrpc_json_write_key_slice(jrpc_json_writer *writer, jrpc_slice name)
{
    assert(writer->depth > 0);
    assert(!writer->after_key);
    begin_value(writer);
    (void)jrpc_json_quote(writer->buffer, name);
    (void)jrpc_buffer_append_char(writer->buffer, ':');
    writer->after_key = true;
}

void jrpc_json_write_null(jrpc_json_writer *writer)
{
    jrpc_json_write_raw(writer, JRPC_SLICE("null"));
}

void jrpc_json_write_bool(jrpc_json_writer *writer, bool value)
{
    jrpc_json_write_raw(writer, value ? JRPC_SLICE("true") : JRPC_SLICE("false"));
}

void jrpc_json_write_int(jrpc_json_writer *writer, int64_t value)
{
    begin_value(writer);
    (void)jrpc_buffer_printf(writer->buffer, "%lld", (long long)value);
}

void jrpc_json_write_string(jrpc_json_writer *writer, jrpc_slice content)
{
    begin_value(writer);
    (void)jrpc_json_quote(writer->buffer, content);
}

void jrpc_json_write_str(jrpc_json_writer *writer, const char *content)
{
    jrpc_json_write_string(writer, jrpc_slice_str(content));
}

void jrpc_json_write_raw(jrpc_json_writer *writer, jrpc_slice spelling)
{
    begin_value(writer);
    (void)jrpc_buffer_append(writer->buffer, spelling);
}

void jrpc_json_write_value(jrpc_json_writer *writer, jrpc_json value)
{
    begin_value(writer);
    (void)jrpc_json_compact(writer->buffer, value);
}

static bool append_unit_escape(jrpc_buffer *buffer, unsigned unit)
{
    static const char digits[] = "0123456789abcdef";
    char escape[6] = {'\\',
                      'u',
                      digits[unit >> 12 & 15],
                      digits[unit >> 8 & 15],
                      digits[unit >> 4 & 15],
                      digits[unit & 15]};
    return jrpc_buffer_append(buffer, jrpc_slice_of(escape, sizeof escape));
}

static bool append_ascii_escape(jrpc_buffer *buffer, char byte)
{
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i + 1 < sizeof letters; i += 2) {
        if (letters[i] == byte) {
            char escape[2] = {'\\', letters[i + 1]};
            return jrpc_buffer_append(buffer, jrpc_slice_of(escape, sizeof escape));
        }
    }
    return append_unit_escape(buffer, (unsigned char)byte);
}

// A surrogate in generalized UTF-8 is ED A0..BF 80..BF.
static bool is_surrogate(const char *p, size_t left)
{
    return left >= 3 && (unsigned char)p[0] == 0xED && ((unsigned char)p[1] & 0xE0) == 0xA0 &&
           ((unsigned char)p[2] & 0xC0) == 0x80;
}

// Appends what stands at `p`, which is not plain; returns how many bytes that were.
static size_t quote_special(jrpc_buffer *buffer, const char *p, size_t left)
{
    if ((unsigned char)*p < 0x80) {
        (void)append_ascii_escape(buffer, *p);
        return 1;
    }
    size_t sequence = jrpc_utf8_sequence(p, left, NULL);
    if (sequence > 0) {
        (void)jrpc_buffer_append(buffer, jrpc_slice_of(p, sequence));
        return sequence;
    }
    if (is_surrogate(p, left)) {
        unsigned unit =
            0xD000U | ((unsigned char)p[1] & 0x3FU) << 6 | ((unsigned char)p[2] & 0x3FU);
        (void)append_unit_escape(buffer, unit);
        return 3;
    }
    (void)jrpc_buffer_append(buffer, JRPC_SLICE("\xEF\xBF\xBD"));
    return 1;
}

bool jrpc_json_quote(jrpc_buffer *buffer, jrpc_slice content)
{
    const char *p = content.len == 0 ? "" : content.ptr;
    const char *end = p + content.len;
    (void)jrpc_buffer_append_char(buffer, '"');
    while (p != end && !buffer->failed) {
        const char *special = jrpc_scan_plain(p, end);
        (void)jrpc_buffer_append(buffer, jrpc_slice_of(p, (size_t)(special - p)));
        p = special;
        if (p != end) {
            p += quote_special(buffer, p, (size_t)(end - p));
        }
    }
    return jrpc_buffer_append_char(buffer, '"');
}

// The end of a run without white space between tokens. `p` may stand at any token's first byte.
static const char *tokens_end(const char *p, const char *end)
{
    while (p != end && (unsigned char)*p > ' ') {
        if (*p++ != '"') {
            continue;
        }
        while (*p != '"') {
            p += *p == '\\' ? 2 : 1;
        }
        p++;
    }
    return p;
}

bool jrpc_json_compact(jrpc_buffer *buffer, jrpc_json value)
{
    jrpc_slice spelling = jrpc_json_spelling(value);
    const char *p = spelling.ptr;
    const char *end = p == NULL ? NULL : p + spelling.len;
    while (p != end && !buffer->failed) {
        const char *run_end = tokens_end(p, end);
        (void)jrpc_buffer_append(buffer, jrpc_slice_of(p, (size_t)(run_end - p)));
        p = jrpc_scan_space(run_end, end);
    }
    return !buffer->failed;
}
