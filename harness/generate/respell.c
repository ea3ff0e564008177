#include "harness/generate/respell.h"

#include "reference/base/limits.h"
#include "reference/base/utf8.h"

#include <string.h>

// Larger objects keep their order, since shuffling searches for each member.
enum { SHUFFLED_MAX = 64 };

typedef struct respelling {
    unsigned how;
    jrpc_random *random;
    jrpc_buffer *out;
} respelling;

static bool write_value(respelling *r, jrpc_json value, unsigned depth);

static bool chance(respelling *r, unsigned one_in)
{
    return jrpc_random_below(r->random, one_in) == 0;
}

static bool write_space(respelling *r)
{
    static const char *const spaces[] = {" ", "  ", "\t", " \t "};
    if ((r->how & JCK_RESPELL_SPACE) == 0 || !chance(r, 3)) {
        return true;
    }
    return jrpc_buffer_append_str(r->out, spaces[jrpc_random_below(r->random, 4)]);
}

// One unescaped character, as \uXXXX: as a pair beyond U+FFFF.
static bool write_escaped(respelling *r, const char *ptr, size_t len)
{
    static const unsigned char lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)ptr[0] & lead[len];
    for (size_t i = 1; i < len; i++) {
        code = code << 6 | ((unsigned char)ptr[i] & 0x3F);
    }
    bool upper = chance(r, 2);
    if (code < 0x10000) {
        return jrpc_buffer_printf(r->out, upper ? "\\u%04X" : "\\u%04x", (unsigned)code);
    }
    code -= 0x10000;
    return jrpc_buffer_printf(r->out, upper ? "\\u%04X\\u%04X" : "\\u%04x\\u%04x",
                              (unsigned)(0xD800 + (code >> 10)),
                              (unsigned)(0xDC00 + (code & 0x3FF)));
}

// A string as spelled, with some of its plain characters escaped. Existing escapes stay.
static bool write_string(respelling *r, jrpc_slice spelling)
{
    if ((r->how & JCK_RESPELL_ESCAPES) == 0 || chance(r, 2)) {
        return jrpc_buffer_append(r->out, spelling);
    }
    for (size_t at = 0; at < spelling.len;) {
        const char *ptr = spelling.ptr + at;
        bool quote = at == 0 || at + 1 == spelling.len;
        size_t escape = *ptr != '\\' ? 0 : ptr[1] == 'u' ? 6 : 2;
        size_t len = escape > 0 ? escape
                     : (unsigned char)*ptr < 0x80
                         ? 1
                         : jrpc_utf8_sequence(ptr, spelling.len - at, NULL);
        if (len == 0) {
            return false; // the reader accepts no invalid UTF-8
        }
        bool kept = quote || escape > 0 || !chance(r, 4);
        if (!(kept ? jrpc_buffer_append(r->out, jrpc_slice_of(ptr, len))
                   : write_escaped(r, ptr, len))) {
            return false;
        }
        at += len;
    }
    return true;
}

static bool is_plain_integer(jrpc_slice number)
{
    for (size_t i = number.ptr[0] == '-' ? 1 : 0; i < number.len; i++) {
        if (number.ptr[i] < '0' || number.ptr[i] > '9') {
            return false;
        }
    }
    return true;
}

// Only plain integers can be respelled without arithmetic.
static bool write_number(respelling *r, jrpc_slice spelling)
{
    static const char *const tails[] = {".0", "e0", "E+00", "0e-1", ".00e-0"};
    bool changed =
        (r->how & JCK_RESPELL_NUMBERS) != 0 && is_plain_integer(spelling) && chance(r, 2);
    if (!jrpc_buffer_append(r->out, spelling)) {
        return false;
    }
    if (!changed) {
        return true;
    }
    // After a lone zero the tail "0e-1" would make "00e-1", which is not a number.
    bool zero = spelling.ptr[spelling.len - 1] == '0' &&
                (spelling.len == 1 || (spelling.len == 2 && spelling.ptr[0] == '-'));
    size_t choice = jrpc_random_below(r->random, sizeof tails / sizeof *tails);
    return jrpc_buffer_append_str(r->out, zero && choice == 3 ? tails[0] : tails[choice]);
}

static bool names_are_unique(jrpc_json object)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        for (jrpc_json_iterator other = it; jrpc_json_step(&other);) {
            // Names are equal if their contents are, also if the spellings differ.
            if (jrpc_slice_equal(jrpc_json_spelling(it.key), jrpc_json_spelling(other.key)) ||
                ((jrpc_json_flags(it.key) | jrpc_json_flags(other.key)) & JRPC_JSON_ESCAPED) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool write_member(respelling *r, jrpc_json_iterator member, bool first, unsigned depth)
{
    return (first || jrpc_buffer_append_char(r->out, ',')) && write_space(r) &&
           write_string(r, jrpc_json_spelling(member.key)) && write_space(r) &&
           jrpc_buffer_append_char(r->out, ':') && write_space(r) &&
           write_value(r, member.value, depth) && write_space(r);
}

static bool write_in_order(respelling *r, jrpc_json object, unsigned depth)
{
    bool first = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it); first = false) {
        if (!write_member(r, it, first, depth)) {
            return false;
        }
    }
    return true;
}

static bool write_shuffled(respelling *r, jrpc_json object, unsigned depth)
{
    uint8_t order[SHUFFLED_MAX] = {0};
    uint32_t count = jrpc_json_count(object);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = (uint32_t)jrpc_random_below(r->random, i + 1);
        order[i] = order[k];
        order[k] = (uint8_t)i;
    }
    for (uint32_t place = 0; place < count; place++) {
        jrpc_json_iterator it = jrpc_json_iterate(object);
        for (uint32_t i = 0; i <= order[place]; i++) {
            (void)jrpc_json_step(&it);
        }
        if (!write_member(r, it, place == 0, depth)) {
            return false;
        }
    }
    return true;
}

static bool write_object(respelling *r, jrpc_json object, unsigned depth)
{
    bool shuffled = (r->how & JCK_RESPELL_ORDER) != 0 && jrpc_json_count(object) <= SHUFFLED_MAX &&
                    names_are_unique(object);
    return jrpc_buffer_append_char(r->out, '{') && write_space(r) &&
           (shuffled ? write_shuffled(r, object, depth) : write_in_order(r, object, depth)) &&
           jrpc_buffer_append_char(r->out, '}');
}

static bool write_array(respelling *r, jrpc_json array, unsigned depth)
{
    bool first = true;
    if (!jrpc_buffer_append_char(r->out, '[') || !write_space(r)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it); first = false) {
        if (!(first || jrpc_buffer_append_char(r->out, ',')) || !write_space(r) ||
            !write_value(r, it.value, depth) || !write_space(r)) {
            return false;
        }
    }
    return jrpc_buffer_append_char(r->out, ']');
}

static bool write_value(respelling *r, jrpc_json value, unsigned depth)
{
    if (depth == JRPC_LIMIT_DEPTH) {
        return false;
    }
    switch (jrpc_json_kind_of(value)) {
    case JRPC_JSON_OBJECT:
        return write_object(r, value, depth + 1);
    case JRPC_JSON_ARRAY:
        return write_array(r, value, depth + 1);
    case JRPC_JSON_STRING:
        return write_string(r, jrpc_json_spelling(value));
    case JRPC_JSON_NUMBER:
        return write_number(r, jrpc_json_spelling(value));
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
        return jrpc_buffer_append(r->out, jrpc_json_spelling(value));
    case JRPC_JSON_NONE:
        return false;
    }
    return false;
}

bool jck_respell(jrpc_json value, unsigned how, jrpc_random *random, jrpc_buffer *out)
{
    respelling r = {how, random, out};
    return write_value(&r, value, 0);
}
