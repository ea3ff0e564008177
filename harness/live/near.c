#include "harness/live/near.h"

#include "harness/generate/name.h"

// The length in bytes of a white-space character (ASCII or Unicode) at the beginning or end of a
// text; 0 if there is none.
static size_t space_at(jrpc_slice text, bool end)
{
    static const jrpc_slice spaces[] = {
        JRPC_SLICE_INIT(" "),      JRPC_SLICE_INIT("\t"),       JRPC_SLICE_INIT("\n"),
        JRPC_SLICE_INIT("\r"),     JRPC_SLICE_INIT("\xC2\xA0"), JRPC_SLICE_INIT("\xC2\x85"),
        JRPC_SLICE_INIT("\u2003"), JRPC_SLICE_INIT("\u200b"),   JRPC_SLICE_INIT("\u3000"),
        JRPC_SLICE_INIT("\ufeff"),
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        size_t len = spaces[i].len;
        size_t from = end && text.len > len ? text.len - len : 0;
        if (jrpc_slice_starts_with(jrpc_slice_from(text, from), spaces[i])) {
            return len;
        }
    }
    return 0;
}

static jrpc_slice without_space(jrpc_slice name)
{
    for (size_t len = 1; name.len > 0 && len > 0;) {
        len = space_at(name, false);
        name = jrpc_slice_from(name, len);
    }
    for (size_t len = 1; name.len > 0 && len > 0;) {
        len = space_at(name, true);
        name.len -= len;
    }
    return name;
}

static unsigned hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                  : 256;
}

// Whether a name is a known name with characters written as %XX, as in a URL.
static bool is_percent_coded(jrpc_slice name, jrpc_slice known)
{
    size_t at = 0;
    for (size_t i = 0; i < known.len; i++, at++) {
        if (at + 2 < name.len && name.ptr[at] == '%' &&
            hex_digit(name.ptr[at + 1]) * 16 + hex_digit(name.ptr[at + 2]) ==
                (unsigned char)known.ptr[i]) {
            at += 2;
        } else if (at >= name.len || name.ptr[at] != known.ptr[i]) {
            return false;
        }
    }
    return at == name.len;
}

// Whether a method's name is that of a known one with something added that no other method of the
// target has in its name: a NUL character after it, white space around it, per cent signs, or the
// name of the method that does not exist. "echo2" may well be a method beside "echo". All without
// quotes.
static jck_due_name lengthened(jrpc_slice name, jrpc_slice known, jrpc_slice absent)
{
    if (jrpc_slice_equal(without_space(name), known) || is_percent_coded(name, known)) {
        return JCK_NAME_SPELLED;
    }
    // Section 8 reserves such names for system extensions.
    static const jrpc_slice reserved = JRPC_SLICE_INIT("rpc.");
    if (jrpc_slice_starts_with(name, reserved) &&
        jrpc_slice_equal(jrpc_slice_from(name, reserved.len), known)) {
        return JCK_NAME_RESERVED;
    }
    bool begins = jrpc_slice_starts_with(name, known);
    bool ends = jrpc_slice_equal(jrpc_slice_from(name, name.len - known.len), known);
    bool added = (begins && name.ptr[known.len] == '\0') ||
                 ((begins || ends) && jrpc_slice_contains(name, absent));
    return added ? JCK_NAME_CHANGED : JCK_NAME_ANY;
}

// Reads one character of a name, folded: a capital letter as a small one, a hyphen as an
// underscore, a full-width character as that of ASCII. Returns its length in bytes.
static size_t fold(jrpc_slice name, size_t at, char *ret_folded)
{
    const unsigned char *bytes = (const unsigned char *)name.ptr + at;
    size_t len = 1;
    char c = name.ptr[at];
    // U+FF01 to U+FF5E.
    if (name.len - at >= 3 && bytes[0] == 0xEF && (bytes[1] == 0xBC || bytes[1] == 0xBD)) {
        unsigned code = (bytes[1] == 0xBC ? 0u : 64u) + (bytes[2] & 63u) + 32u;
        c = (char)(code < 127 ? code : 0);
        len = 3;
    }
    c = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    *ret_folded = c == '-' ? '_' : c;
    return len;
}

// Whether two different names are the same to a lookup that folds them.
static bool is_folded(jrpc_slice name, jrpc_slice known)
{
    size_t at = 0;
    size_t known_at = 0;
    while (at < name.len && known_at < known.len) {
        char a;
        char b;
        at += fold(name, at, &a);
        known_at += fold(known, known_at, &b);
        if (a != b) {
            return false;
        }
    }
    return at == name.len && known_at == known.len;
}

jck_due_name jck_near(jrpc_slice name, jrpc_slice known, jrpc_slice absent)
{
    if (name.ptr == NULL || known.len == 0 || jrpc_slice_equal(name, known)) {
        return JCK_NAME_ANY;
    }
    if (is_folded(name, known)) {
        return JCK_NAME_SPELLED;
    }
    return name.len <= known.len ? JCK_NAME_ANY : lengthened(name, known, absent);
}

bool jck_near_is_decorated(jrpc_slice name, jrpc_slice absent)
{
    for (size_t i = 0; name.ptr != NULL && jck_name_prefix(i) != NULL; i++) {
        jrpc_slice prefix = jrpc_slice_str(jck_name_prefix(i));
        if (jrpc_slice_starts_with(name, prefix) &&
            jrpc_slice_equal(jrpc_slice_from(name, prefix.len), absent)) {
            return true;
        }
    }
    return false;
}
