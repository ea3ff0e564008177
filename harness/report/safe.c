#include "harness/report/safe.h"

#include "reference/base/utf8.h"
#include "reference/base/visible.h"

#include <stdint.h>

static void append_hex(jrpc_buffer *out, jck_safe_place place, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    // In Markdown and TAP a backslash is markup itself.
    (void)jrpc_buffer_append_str(out, place == JCK_SAFE_MARKDOWN ? "&#92;x"
                                      : place == JCK_SAFE_TAP    ? "\\\\x"
                                                                 : "\\x");
    (void)jrpc_buffer_append_char(out, digits[byte >> 4]);
    (void)jrpc_buffer_append_char(out, digits[byte & 15]);
}

// Valid characters keep their value in JSON; an invalid byte becomes U+FFFD.
static void append_json_escape(jrpc_buffer *out, uint32_t code)
{
    if (code > 0xFFFF) {
        uint32_t above = code - 0x10000;
        (void)jrpc_buffer_printf(out, "\\u%04x\\u%04x", (unsigned)(0xD800 + (above >> 10)),
                                 (unsigned)(0xDC00 + (above & 0x3FF)));
    } else {
        (void)jrpc_buffer_printf(out, "\\u%04x", (unsigned)code);
    }
}

static bool is_alphanumeric(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

// Whether the byte is inside a name such as J2-5.1a or batch/empty-array. A dot between letters is
// not: GitHub makes links of www.names.
static bool is_inside_name(jrpc_slice text, size_t at)
{
    if (at == 0 || at + 1 >= text.len || !is_alphanumeric(text.ptr[at - 1]) ||
        !is_alphanumeric(text.ptr[at + 1])) {
        return false;
    }
    char byte = text.ptr[at];
    bool after_digit = text.ptr[at - 1] <= '9'; // letters follow the digits
    return byte == '-' || byte == '/' || (byte == '.' && after_digit);
}

static void append_ascii(jrpc_buffer *out, jck_safe_place place, char byte)
{
    switch (place) {
    case JCK_SAFE_PLAIN:
        break;
    case JCK_SAFE_HTML:
    case JCK_SAFE_HTML_BYTES:
    case JCK_SAFE_XML:
        switch (byte) {
        case '&':
            (void)jrpc_buffer_append_str(out, "&amp;");
            return;
        case '<':
            (void)jrpc_buffer_append_str(out, "&lt;");
            return;
        case '>':
            (void)jrpc_buffer_append_str(out, "&gt;");
            return;
        case '"':
            (void)jrpc_buffer_append_str(out, "&quot;");
            return;
        default:
            break;
        }
        break;
    case JCK_SAFE_MARKDOWN:
        // A character reference is never markup, wherever it is.
        if (!is_alphanumeric(byte) && byte != ' ' && byte != ',') {
            (void)jrpc_buffer_printf(out, "&#%d;", byte);
            return;
        }
        break;
    case JCK_SAFE_TAP:
        if (byte == '#' || byte == '\\') {
            (void)jrpc_buffer_append_char(out, '\\');
        }
        break;
    case JCK_SAFE_JSON:
        if (byte == '"' || byte == '\\') {
            (void)jrpc_buffer_append_char(out, '\\');
        }
        break;
    }
    (void)jrpc_buffer_append_char(out, byte);
}

// Spells out what cannot be shown: `len` bytes, one character or one invalid byte (len 1).
static void append_hidden(jrpc_buffer *out, jck_safe_place place, const char *ptr, size_t len,
                          uint32_t code)
{
    if (place == JCK_SAFE_JSON) {
        append_json_escape(out, code);
        return;
    }
    // An invalid UTF-8 byte comes alone and as U+FFFD.
    const char *mark = place != JCK_SAFE_HTML_BYTES ? NULL : len == 1 && code == 0xFFFD ? "b" : "i";
    if (mark != NULL) {
        (void)jrpc_buffer_printf(out, "<%s>", mark);
    }
    for (size_t i = 0; i < len; i++) {
        append_hex(out, place, (unsigned char)ptr[i]);
    }
    if (mark != NULL) {
        (void)jrpc_buffer_printf(out, "</%s>", mark);
    }
}

static bool is_hex(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
}

// Whether the \x at this place is followed by two digits, as jck_excerpt spells a byte.
static bool is_spelled_byte(jrpc_slice text, size_t at)
{
    return at + 3 < text.len && is_hex(text.ptr[at + 2]) && is_hex(text.ptr[at + 3]);
}

// `spelled`: whether jck_excerpt has spelled the bytes of peers in the text.
static bool append(jrpc_buffer *out, jck_safe_place place, jrpc_slice text, bool spelled)
{
    for (size_t at = 0; at < text.len;) {
        const char *ptr = text.ptr + at;
        size_t len = jrpc_utf8_sequence(ptr, text.len - at, NULL);
        if (len == 0) {
            append_hidden(out, place, ptr, 1, 0xFFFD);
            at++;
            continue;
        }
        uint32_t code = jrpc_utf8_code(ptr, len);
        bool imitates = place != JCK_SAFE_JSON && *ptr == '\\' && at + 1 < text.len &&
                        ptr[1] == 'x' && !(spelled && is_spelled_byte(text, at));
        if (imitates || !jrpc_code_is_visible(code)) {
            append_hidden(out, place, ptr, len, code);
        } else if (len == 1 && !(place == JCK_SAFE_MARKDOWN && is_inside_name(text, at))) {
            append_ascii(out, place, *ptr);
        } else {
            (void)jrpc_buffer_append(out, jrpc_slice_of(ptr, len));
        }
        at += len;
    }
    return !out->failed;
}

bool jck_safe_append(jrpc_buffer *out, jck_safe_place place, jrpc_slice text)
{
    return append(out, place, text, false);
}

static bool append_capped(jrpc_buffer *out, jck_safe_place place, jrpc_slice text, size_t max,
                          size_t true_len, bool spelled)
{
    size_t shown = jrpc_utf8_boundary(text.ptr, text.len, text.len > max ? max : text.len);
    (void)append(out, place, jrpc_slice_of(text.ptr, shown), spelled);
    if (true_len > shown) {
        (void)jrpc_buffer_printf(out, "… (%zu bytes in all)", true_len);
    }
    return !out->failed;
}

bool jck_safe_append_capped(jrpc_buffer *out, jck_safe_place place, jrpc_slice bytes, size_t max,
                            size_t true_len)
{
    return append_capped(out, place, bytes, max, true_len, false);
}

bool jck_safe_append_sentence(jrpc_buffer *out, jck_safe_place place, jrpc_slice sentence,
                              size_t max)
{
    return append_capped(out, place, sentence, max, sentence.len, true);
}

bool jck_print_safe(FILE *out, jrpc_slice text)
{
    // In pieces, so that no text is too long; a piece ends at the end of a character.
    enum { PIECE = 4096 };
    jrpc_buffer piece;
    jrpc_buffer_init(&piece, jrpc_allocator_heap(), (size_t)PIECE * 4);
    bool ok = true;
    while (ok && text.len > 0) {
        size_t len = text.len;
        if (len > PIECE) {
            len = jrpc_utf8_boundary(text.ptr, text.len, PIECE);
            // The byte after a backslash decides how it is spelled.
            len -= text.ptr[len - 1] == '\\';
        }
        jrpc_buffer_clear(&piece);
        ok = jck_safe_append(&piece, JCK_SAFE_PLAIN, jrpc_slice_of(text.ptr, len)) &&
             fwrite(piece.ptr, 1, piece.len, out) == piece.len;
        text = jrpc_slice_from(text, len);
    }
    jrpc_buffer_done(&piece);
    return ok;
}
