#include "reference/json/content.h"

#include "reference/base/utf8.h"
#include "reference/json/scan.h"

jrpc_json_content jrpc_json_content_of(jrpc_json string)
{
    jrpc_slice spelling = jrpc_json_spelling(string);
    return (jrpc_json_content){
        .p = spelling.ptr + 1,
        .end = spelling.ptr + spelling.len - 1,
    };
}

static uint32_t read_unit(const char *p)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        unit = unit * 16 + (uint32_t)jrpc_scan_hex(p[i]);
    }
    return unit;
}

static char simple_escape(char letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default: // a quote, a backslash or a slash
        return letter;
    }
}

// `p` is at a backslash.
static void resolve_escape(jrpc_json_content *content)
{
    const char *p = content->p + 1;
    content->at = 0;
    if (*p != 'u') {
        content->bytes[0] = simple_escape(*p);
        content->len = 1;
        content->p = p + 1;
        return;
    }
    uint32_t code = read_unit(p + 1);
    p += 5;
    if (code >= 0xD800 && code < 0xDC00 && content->end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
        uint32_t low = read_unit(p + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            p += 6;
        }
    }
    // A surrogate without its partner gets three bytes like its neighbours.
    content->len = (unsigned)jrpc_utf8_encode(code, content->bytes);
    content->p = p;
}

int jrpc_json_content_next(jrpc_json_content *content)
{
    if (content->at == content->len) {
        if (content->p == content->end) {
            return -1;
        }
        if (*content->p != '\\') {
            return (unsigned char)*content->p++;
        }
        resolve_escape(content);
    }
    return (unsigned char)content->bytes[content->at++];
}

bool jrpc_json_content_equal(jrpc_json a, jrpc_json b)
{
    if (jrpc_json_count(a) != jrpc_json_count(b)) {
        return false;
    }
    if (((jrpc_json_flags(a) | jrpc_json_flags(b)) & JRPC_JSON_ESCAPED) == 0) {
        return jrpc_slice_equal(jrpc_json_spelling(a), jrpc_json_spelling(b));
    }
    jrpc_json_content left = jrpc_json_content_of(a);
    jrpc_json_content right = jrpc_json_content_of(b);
    for (;;) {
        int byte = jrpc_json_content_next(&left);
        if (byte != jrpc_json_content_next(&right)) {
            return false;
        }
        if (byte < 0) {
            return true;
        }
    }
}
