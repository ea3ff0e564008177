#include "harness/suite/kin.h"

#include "reference/base/utf8.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WIDER ((int64_t)1 << 32)
#define HALVES_MAX ((int64_t)1 << 51) // a double still holds a half of what is smaller

static const struct {
    const char *suffix;
    const char *before; // added to a String before its content …
    const char *after;  // … and after it
    const char *of_zero;
} kins[] = {
    [JCK_KIN_WIDER] = {"-wider", "", "4294967296", "4294967296"},
    [JCK_KIN_NEGATIVE] = {"-negative", "-", "", "-1"},
    [JCK_KIN_FRACTION] = {"-fraction", "", ".5", "0.5"},
    [JCK_KIN_TENFOLD] = {"-tenfold", "", "0", "1e1"},
    [JCK_KIN_RETYPED] = {"-retyped", "", "?", "\"0\""},
};

bool jck_kin_from_name(jrpc_slice name, jrpc_slice *ret_request, jck_kin *ret_kin)
{
    for (size_t i = 0; i < sizeof kins / sizeof *kins; i++) {
        size_t len = strlen(kins[i].suffix);
        if (name.len > len &&
            jrpc_slice_is(jrpc_slice_from(name, name.len - len), kins[i].suffix)) {
            *ret_request = jrpc_slice_of(name.ptr, name.len - len);
            *ret_kin = (jck_kin)i;
            return true;
        }
    }
    return false;
}

// Whether a text is a whole number without leading zeros, small enough to calculate with.
static bool is_whole(jrpc_slice text, int64_t *ret_number)
{
    enum { DIGITS_MAX = 17 };
    bool negative = text.len > 0 && text.ptr[0] == '-';
    jrpc_slice digits = jrpc_slice_from(text, negative ? 1 : 0);
    if (digits.len == 0 || digits.len > DIGITS_MAX || (digits.ptr[0] == '0' && digits.len > 1)) {
        return false;
    }
    int64_t number = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9') {
            return false;
        }
        number = number * 10 + (digits.ptr[i] - '0');
    }
    *ret_number = negative ? -number : number;
    return true;
}

static bool spell_of_number(jck_kin kin, int64_t number, jrpc_buffer *out)
{
    if (number == 0) {
        return jrpc_buffer_append_str(out, kins[kin].of_zero);
    }
    switch (kin) {
    case JCK_KIN_WIDER:
        return jrpc_buffer_printf(out, "%" PRId64, number + WIDER);
    case JCK_KIN_NEGATIVE:
        return jrpc_buffer_printf(out, "%" PRId64, -number);
    case JCK_KIN_FRACTION:
        // Where a reader of doubles would round the half away, the Number is another one.
        while (number >= HALVES_MAX || number <= -HALVES_MAX) {
            number /= 2;
        }
        return jrpc_buffer_printf(out, "%" PRId64 ".5", number);
    case JCK_KIN_TENFOLD:
        return jrpc_buffer_printf(out, "%" PRId64 "e1", number);
    case JCK_KIN_RETYPED:
        return jrpc_buffer_printf(out, "\"%" PRId64 "\"", number);
    }
    return false;
}

// The kin of a Number with a decimal point, handled as text. False if the buffer is full.
static bool spell_of_text(jck_kin kin, jrpc_slice id, jrpc_buffer *out)
{
    switch (kin) {
    case JCK_KIN_NEGATIVE:
        return (id.ptr[0] == '-' || jrpc_buffer_append_char(out, '-')) &&
               jrpc_buffer_append(out, jrpc_slice_from(id, id.ptr[0] == '-' ? 1 : 0));
    case JCK_KIN_TENFOLD:
        return jrpc_buffer_append(out, id) && jrpc_buffer_append_str(out, "e1");
    case JCK_KIN_RETYPED:
        return jrpc_buffer_append_char(out, '"') && jrpc_buffer_append(out, id) &&
               jrpc_buffer_append_char(out, '"');
    case JCK_KIN_WIDER:
    case JCK_KIN_FRACTION:
        break;
    }
    return jrpc_buffer_append(out, JRPC_SLICE("\"jck-nobody\""));
}

// Whether a spelling is a Number with a decimal point, without an exponent, and not zero.
static bool has_point(jrpc_slice id)
{
    bool number = id.len > 0 && (id.ptr[0] == '-' || (id.ptr[0] >= '0' && id.ptr[0] <= '9'));
    bool point = false;
    bool above_zero = false;
    for (size_t i = 0; i < id.len && number; i++) {
        number = id.ptr[i] != 'e' && id.ptr[i] != 'E';
        point = point || id.ptr[i] == '.';
        above_zero = above_zero || (id.ptr[i] >= '1' && id.ptr[i] <= '9');
    }
    return number && point && above_zero;
}

bool jck_kin_spell(jck_kin kin, jrpc_slice id, jrpc_buffer *out)
{
    int64_t number = 0;
    bool string = id.len >= 2 && id.ptr[0] == '"';
    jrpc_slice content = string ? jrpc_slice_inside(id) : id;
    if (!string && is_whole(id, &number)) {
        return spell_of_number(kin, number, out);
    }
    if (has_point(id)) {
        return spell_of_text(kin, id, out);
    }
    if (string && kin == JCK_KIN_RETYPED && is_whole(content, &number)) {
        return jrpc_buffer_append(out, content);
    }
    // The content of a String with something added, or a String that resembles no id.
    return jrpc_buffer_append_char(out, '"') && jrpc_buffer_append_str(out, kins[kin].before) &&
           jrpc_buffer_append(out, string ? content : JRPC_SLICE("jck-nobody")) &&
           jrpc_buffer_append_str(out, kins[kin].after) && jrpc_buffer_append_char(out, '"');
}

// U+FF01 to U+FF5E are the full-width forms of ! to ~.
static bool append_full_width(jrpc_buffer *out, char c)
{
    unsigned code = 0xFF00u + (unsigned char)c - 0x20u;
    char bytes[] = {(char)(0xE0u | (code >> 12)), (char)(0x80u | ((code >> 6) & 0x3Fu)),
                    (char)(0x80u | (code & 0x3Fu))};
    return jrpc_buffer_append(out, jrpc_slice_of(bytes, sizeof bytes));
}

// Appends an ASCII character, as it is spelled.
static bool append_respelled(jrpc_buffer *out, char c, jck_name_spelling how)
{
    bool small = c >= 'a' && c <= 'z';
    bool letter = small || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    switch (how) {
    case JCK_NAME_ESCAPED:
        return jrpc_buffer_printf(out, "\\u%04x", (unsigned)c);
    case JCK_NAME_RAISED:
        return jrpc_buffer_append_char(out, small ? (char)(c - 'a' + 'A') : c);
    case JCK_NAME_WIDENED:
        return letter ? append_full_width(out, c) : jrpc_buffer_append_char(out, c);
    case JCK_NAME_HYPHENATED:
        return jrpc_buffer_append_char(out, c == '_' ? '-' : c);
    case JCK_NAME_SHORTENED:
        break;
    }
    return jrpc_buffer_append_char(out, c);
}

bool jck_kin_spell_name(jrpc_slice method, jck_name_spelling how, jrpc_arena *arena,
                        jrpc_slice *ret_spelling)
{
    jrpc_slice content = jrpc_slice_inside(method);
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), method.len * 12 + 8);
    bool ok = memchr(content.ptr, '\\', content.len) == NULL && jrpc_buffer_append_char(&out, '"');
    for (size_t at = 0; ok && at < content.len;) {
        size_t len = jrpc_utf8_sequence(content.ptr + at, content.len - at, NULL);
        jrpc_slice character = jrpc_slice_of(content.ptr + at, len);
        at += len;
        bool left_out = how == JCK_NAME_SHORTENED && at == content.len;
        ok = len > 0 && (left_out || (len == 1 ? append_respelled(&out, *character.ptr, how)
                                               : jrpc_buffer_append(&out, character)));
    }
    ok = ok && jrpc_buffer_append_char(&out, '"') &&
         !jrpc_slice_equal(jrpc_buffer_slice(&out), method) &&
         jrpc_arena_copy(arena, jrpc_buffer_slice(&out), ret_spelling);
    jrpc_buffer_done(&out);
    return ok;
}
