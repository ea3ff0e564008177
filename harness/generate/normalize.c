#include "harness/generate/normalize.h"

#include "reference/base/limits.h"
#include "reference/base/utf8.h"
#include "reference/json/read.h"
#include "reference/json/scan.h"

// The code unit that \uXXXX stands for; false if there is no such escape here.
static bool read_unit(jrpc_slice text, size_t at, uint32_t *ret)
{
    if (at + 6 > text.len || text.ptr[at] != '\\' || text.ptr[at + 1] != 'u') {
        return false;
    }
    *ret = 0;
    for (size_t i = 2; i < 6; i++) {
        int digit = jrpc_scan_hex(text.ptr[at + i]);
        if (digit < 0) {
            return false;
        }
        *ret = *ret << 4 | (uint32_t)digit;
    }
    return true;
}

static void put_utf8(uint32_t code, jrpc_buffer *out)
{
    char bytes[4];
    (void)jrpc_buffer_append(out, jrpc_slice_of(bytes, jrpc_utf8_encode(code, bytes)));
}

// Writes the character that an escape stands for, if it may be written unescaped. Returns how many
// bytes were read; 0: none.
static size_t unescape(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    uint32_t unit;
    uint32_t low;
    if (at + 1 < text.len && text.ptr[at + 1] == '/') {
        (void)jrpc_buffer_append_char(out, '/');
        return 2;
    }
    if (!read_unit(text, at, &unit) || unit < 0x20 || unit == '"' || unit == '\\') {
        return 0;
    }
    if (unit < 0xD800 || unit > 0xDFFF) {
        put_utf8(unit, out);
        return 6;
    }
    if (unit > 0xDBFF || !read_unit(text, at + 6, &low) || low < 0xDC00 || low > 0xDFFF) {
        return 0;
    }
    put_utf8(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), out);
    return 12;
}

static bool write_tokens(jrpc_slice text, unsigned what, jrpc_buffer *out)
{
    bool quoted = false;
    for (size_t at = 0; at < text.len;) {
        char c = text.ptr[at];
        bool space = !quoted && jrpc_scan_is_space(c);
        if (space && (what & JCK_RESPELL_SPACE) != 0) {
            at++;
            continue;
        }
        if (quoted && c == '\\') {
            size_t read = (what & JCK_RESPELL_ESCAPES) != 0 ? unescape(text, at, out) : 0;
            size_t kept = read > 0 ? 0 : at + 1 < text.len ? 2 : 1;
            (void)jrpc_buffer_append(out, jrpc_slice_of(text.ptr + at, kept));
            at += read + kept;
            continue;
        }
        quoted = quoted != (c == '"');
        (void)jrpc_buffer_append_char(out, c);
        at++;
    }
    return !out->failed;
}

static void write_member(jrpc_json_iterator member, bool *first, jrpc_buffer *out)
{
    (void)jrpc_buffer_append_str(out, *first ? "" : ",");
    (void)jrpc_buffer_append(out, jrpc_json_spelling(member.key));
    (void)jrpc_buffer_append_char(out, ':');
    (void)jrpc_buffer_append(out, jrpc_json_spelling(member.value));
    *first = false;
}

static void write_message(jrpc_json message, jrpc_buffer *out)
{
    static const char *const order[] = {"jsonrpc", "method", "params", "id", NULL};
    if (!jrpc_json_is(message, JRPC_JSON_OBJECT)) {
        (void)jrpc_buffer_append(out, jrpc_json_spelling(message));
        return;
    }
    bool first = true;
    (void)jrpc_buffer_append_char(out, '{');
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        jrpc_json_iterator it = jrpc_json_iterate(message);
        while (jrpc_json_step(&it)) {
            bool named = false;
            for (size_t k = 0; order[k] != NULL && !named; k++) {
                named = jrpc_json_string_is(it.key, jrpc_slice_str(order[k]));
            }
            if (order[i] == NULL ? !named : jrpc_json_string_is(it.key, jrpc_slice_str(order[i]))) {
                write_member(it, &first, out);
            }
        }
    }
    (void)jrpc_buffer_append_char(out, '}');
}

static void write_messages(jrpc_json root, jrpc_buffer *out)
{
    if (!jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        write_message(root, out);
        return;
    }
    const char *before = "[";
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it); before = ",") {
        (void)jrpc_buffer_append_str(out, before);
        write_message(it.value, out);
    }
    (void)jrpc_buffer_append_str(out, before[0] == '[' ? "[]" : "]");
}

bool jck_normalize(jrpc_slice text, unsigned what, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_buffer ordered;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&ordered, jrpc_allocator_heap(), text.len + 64);
    bool reorder =
        (what & JCK_RESPELL_ORDER) != 0 && jrpc_json_read(&document, text, JRPC_LIMIT_DEPTH, NULL);
    if (reorder) {
        write_messages(jrpc_json_root(&document), &ordered);
    }
    bool done =
        write_tokens(reorder && !ordered.failed ? jrpc_buffer_slice(&ordered) : text, what, out);
    jrpc_buffer_done(&ordered);
    jrpc_json_document_done(&document);
    return done;
}
