#include "harness/generate/name.h"

#include "harness/generate/values.h"

#include <string.h>

static const char *const prefixes[] = {
    "$/", "notifications/", "_", ".", "/", "@", "#", "system.", "on", "a/", "a.", "a:", "a-", "a "};

const char *jck_name_prefix(size_t index)
{
    return index < sizeof prefixes / sizeof *prefixes ? prefixes[index] : NULL;
}

void jck_name_absent(jrpc_slice absent, size_t most, jrpc_random *random, jrpc_buffer *out)
{
    static const char *const tails[] = {
        "é",      "😀",       " ",  "\\n", "/",   "..x", "%n", "\\\"", "\\u0061", "\\ud83d\\ude00",
        "$",      "'",       "()", "(1)", "[0]", "::x", "#x", "?x=1", ";x",      "%00",
        "\\r\\n", "\\u00a0", "{}", "*"};
    static const jrpc_slice reserved = JRPC_SLICE_INIT("\"rpc.");
    bool system = jrpc_random_below(random, 16) == 0; // section 8: no method of a server's own
    if (!system && jrpc_random_below(random, 24) == 0) {
        (void)jrpc_buffer_printf(out, "\"%s%.*s", JRPC_RANDOM_PICK(random, prefixes),
                                 (int)absent.len - 1, absent.ptr + 1);
        return;
    }
    (void)jrpc_buffer_append(out, system ? reserved : JRPC_SLICE("\""));
    (void)jrpc_buffer_append(out, jrpc_slice_inside(absent));
    if (jrpc_random_below(random, 4) == 0) {
        (void)jrpc_buffer_append_str(out, JRPC_RANDOM_PICK(random, tails));
    }
    if (jrpc_random_below(random, 40) == 0) {
        for (size_t i = jck_value_size(random, most); i > 0; i--) {
            (void)jrpc_buffer_append_char(out, 'm');
        }
    }
    (void)jrpc_buffer_append_char(out, '"');
}

// The last ones are names that somebody may well give to a method: they are tried, because a lookup
// that finds them may crash, but an answer to them proves nothing.
static const char *const inherited[] = {"__proto__", "constructor", "hasOwnProperty", "__class__",
                                        "__init__",  "__dict__",    "toString",       "valueOf"};
#define INHERITED_ONLY (sizeof inherited / sizeof *inherited - 2)

bool jck_name_is_inherited(jrpc_slice name)
{
    for (size_t i = 0; i < INHERITED_ONLY; i++) {
        if (jrpc_slice_equal(name, jrpc_slice_str(inherited[i]))) {
            return true;
        }
    }
    return false;
}

// Whether a byte is one of a UTF-8 character after its first.
static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80;
}

// A name in capital or full-width letters, or with hyphens for underscores.
static void put_folded(jrpc_slice name, jrpc_random *random, jrpc_buffer *out)
{
    const uint64_t how = jrpc_random_below(random, 4);
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.ptr[i];
        const bool small = c >= 'a' && c <= 'z';
        if (how == 0 && small) {
            (void)jrpc_buffer_append_char(out, (char)(c - 'a' + 'A'));
        } else if (how == 1 && i == 0 && small) {
            (void)jrpc_buffer_append_char(out, (char)(c - 'a' + 'A'));
        } else if (how == 2 && small) { // U+FF41 and those that follow
            const char wide[] = {'\xEF', '\xBD', (char)(0x81 + (c - 'a'))};
            (void)jrpc_buffer_append(out, jrpc_slice_of(wide, sizeof wide));
        } else {
            (void)jrpc_buffer_append_char(out, how == 3 && c == '_' ? '-' : c);
        }
    }
}

void jck_name_near(jrpc_slice known, jrpc_slice absent, jrpc_random *random, jrpc_buffer *out)
{
    static const char *const added[] = {"x", ".", " ", "\\u0000", "/", "_", "2", "\\t", "😀"};
    static const char *const spaces[] = {" ",       "\\t",     "\\n",    "\\r\\n",
                                         "  ",      "\\u00a0", "\u3000", "\\u200b",
                                         "\\ufeff", "\\u2003", "\\u0085"};
    jrpc_slice inner = jrpc_slice_inside(known);
    bool escaped = memchr(inner.ptr, '\\', inner.len) != NULL;
    if (jrpc_random_below(random, 8) == 0) {
        (void)jrpc_buffer_printf(out, "\"%s\"", JRPC_RANDOM_PICK(random, inherited));
        return;
    }
    (void)jrpc_buffer_append_char(out, '"');
    if (jrpc_random_below(random, 5) == 0) {
        put_folded(inner, random, out);
        (void)jrpc_buffer_append_char(out, '"');
        return;
    }
    switch (jrpc_random_below(random, inner.len > 1 && !escaped ? 7 : 5)) {
    case 0:
        (void)jrpc_buffer_append_str(out, JRPC_RANDOM_PICK(random, added));
        (void)jrpc_buffer_append(out, jrpc_slice_inside(absent));
        (void)jrpc_buffer_append_str(out, JRPC_RANDOM_PICK(random, added));
        (void)jrpc_buffer_append(out, inner);
        break;
    case 1:
        (void)jrpc_buffer_append(out, inner);
        (void)jrpc_buffer_append_str(out, JRPC_RANDOM_PICK(random, added));
        (void)jrpc_buffer_append(out, jrpc_slice_inside(absent));
        break;
    case 2:
        (void)jrpc_buffer_append(out, inner);
        (void)jrpc_buffer_append_str(out,
                                     jrpc_random_below(random, 2) == 0 ? "\\u0000" : "\\u0000x");
        break;
    case 3: {
        const char *space = JRPC_RANDOM_PICK(random, spaces);
        bool before = jrpc_random_below(random, 2) == 0;
        (void)jrpc_buffer_append_str(out, before ? space : "");
        (void)jrpc_buffer_append(out, inner);
        (void)jrpc_buffer_append_str(out, before ? "" : space);
        break;
    }
    case 4:
        (void)jrpc_buffer_append_str(out, "rpc.");
        (void)jrpc_buffer_append(out, inner);
        break;
    case 5: { // one character as in a URL
        size_t at = (size_t)jrpc_random_below(random, inner.len);
        while (at > 0 && is_continuation(inner.ptr[at])) {
            at--;
        }
        (void)jrpc_buffer_append(out, jrpc_slice_of(inner.ptr, at));
        do {
            (void)jrpc_buffer_printf(out, "%%%02X", (unsigned)(unsigned char)inner.ptr[at]);
            at++;
        } while (at < inner.len && is_continuation(inner.ptr[at]));
        (void)jrpc_buffer_append(out, jrpc_slice_from(inner, at));
        break;
    }
    default: {
        size_t len = 1 + (size_t)jrpc_random_below(random, inner.len - 1);
        while (len < inner.len && is_continuation(inner.ptr[len])) {
            len++;
        }
        (void)jrpc_buffer_append(out, jrpc_slice_of(inner.ptr, len));
        break;
    }
    }
    (void)jrpc_buffer_append_char(out, '"');
}
