// Spelling a tree anew without changing what it means.
#include "fuzz/model/tree.h"

#include "fuzz/fuzz.h"

typedef struct spelling {
    jrpc_buffer *out;
    unsigned how;
    jrpc_random *random;
    unsigned depth;
    bool batch; // the whole is an array
} spelling;

static bool chance(spelling *s, unsigned style, uint64_t one_in)
{
    return (s->how & style) != 0 && jrpc_random_below(s->random, one_in) == 0;
}

static void put(spelling *s, const char *text)
{
    FUZZ_REQUIRE(jrpc_buffer_append_str(s->out, text));
}

static void space(spelling *s)
{
    while (chance(s, TREE_SPACE, 3)) {
        static const char *const spaces[] = {" ", "\n", "\t", "\r"};
        put(s, spaces[jrpc_random_below(s->random, 4)]);
    }
}

static void write_unit(spelling *s, unsigned unit)
{
    FUZZ_REQUIRE(jrpc_buffer_printf(
        s->out, jrpc_random_below(s->random, 2) == 0 ? "\\u%04x" : "\\u%04X", unit));
}

// The code point at `p`, and its length: content is generalized UTF-8.
static unsigned code_point(const char *p, size_t *ret_len)
{
    const unsigned char *u = (const unsigned char *)p;
    if (u[0] < 0x80) {
        *ret_len = 1;
        return u[0];
    }
    if (u[0] < 0xE0) {
        *ret_len = 2;
        return (u[0] & 0x1Fu) << 6 | (u[1] & 0x3Fu);
    }
    if (u[0] < 0xF0) {
        *ret_len = 3;
        return (u[0] & 0x0Fu) << 12 | (u[1] & 0x3Fu) << 6 | (u[2] & 0x3Fu);
    }
    *ret_len = 4;
    return (u[0] & 0x07u) << 18 | (u[1] & 0x3Fu) << 12 | (u[2] & 0x3Fu) << 6 | (u[3] & 0x3Fu);
}

static void write_string(spelling *s, const tree *string)
{
    if ((s->how & TREE_ESCAPE) == 0) {
        FUZZ_REQUIRE(jrpc_buffer_append(s->out, string->spelling));
        return;
    }
    put(s, "\"");
    for (size_t i = 0; i < string->content.len;) {
        size_t len;
        unsigned code = code_point(string->content.ptr + i, &len);
        bool lone = code >= 0xD800 && code < 0xE000;
        if (code >= 0x20 && code != '"' && code != '\\' && !lone && !chance(s, TREE_ESCAPE, 3)) {
            FUZZ_REQUIRE(jrpc_buffer_append(s->out, jrpc_slice_of(string->content.ptr + i, len)));
        } else if (code >= 0x10000) {
            write_unit(s, 0xD800 + ((code - 0x10000) >> 10));
            write_unit(s, 0xDC00 + ((code - 0x10000) & 0x3FF));
        } else {
            write_unit(s, code);
        }
        i += len;
    }
    put(s, "\"");
}

static void write_number(spelling *s, jrpc_slice number)
{
    bool plain = true;
    for (size_t i = 0; i < number.len; i++) {
        plain = plain && strchr(".eE", number.ptr[i]) == NULL;
    }
    FUZZ_REQUIRE(jrpc_buffer_append(s->out, number));
    if (plain && chance(s, TREE_NUMBER, 2)) {
        static const char *const tails[] = {".0", "e0", "E+00", ".000e-0", "0e-1", "00.0e-2"};
        // The last two tails begin with a digit, and "00e-1" is not a number.
        bool zero = number.ptr[number.len - 1] == '0' && number.len <= 2;
        put(s, tails[jrpc_random_below(s->random, zero ? 4 : 6)]);
    }
}

static bool names_distinct(const tree *object)
{
    for (size_t i = 0; i < object->count; i++) {
        for (size_t j = i + 1; j < object->count; j++) {
            if (jrpc_slice_equal(object->names[i]->content, object->names[j]->content)) {
                return false;
            }
        }
    }
    return true;
}

static void write_value(spelling *s, const tree *value);

static void write_container(spelling *s, const tree *value)
{
    bool object = value->kind == 'o';
    size_t shift = 0;
    // Rotated rather than shuffled: enough to move every member, and no list is needed.
    if (object && value->count > 1 && chance(s, TREE_ORDER, 1) && names_distinct(value)) {
        shift = (size_t)jrpc_random_below(s->random, value->count);
    }
    put(s, object ? "{" : "[");
    bool first = true;
    if (object && s->depth == (s->batch ? 1u : 0u) && chance(s, TREE_UNKNOWN_MEMBERS, 1)) {
        put(s, "\"x-nobody-knows\":{\"id\":7}");
        first = false;
    }
    s->depth++;
    for (size_t i = 0; i < value->count; i++) {
        size_t at = (i + shift) % value->count;
        put(s, first ? "" : ",");
        first = false;
        space(s);
        if (object) {
            write_string(s, value->names[at]);
            space(s);
            put(s, ":");
        }
        write_value(s, value->items[at]);
    }
    s->depth--;
    put(s, object ? "}" : "]");
}

static void write_value(spelling *s, const tree *value)
{
    space(s);
    if (value->kind == 'o' || value->kind == 'a') {
        write_container(s, value);
    } else if (value->kind == 's') {
        write_string(s, value);
    } else if (value->kind == '0') {
        write_number(s, value->spelling);
    } else {
        FUZZ_REQUIRE(jrpc_buffer_append(s->out, value->spelling));
    }
    space(s);
}

void tree_put_container(jrpc_buffer *out, const tree *container,
                        void (*put_part)(void *context, const tree *value), void *context)
{
    const bool object = container->kind == 'o';
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, object ? '{' : '['));
    for (size_t i = 0; i < container->count; i++) {
        FUZZ_REQUIRE(i == 0 || jrpc_buffer_append_char(out, ','));
        if (object) {
            put_part(context, container->names[i]);
            FUZZ_REQUIRE(jrpc_buffer_append_char(out, ':'));
        }
        put_part(context, container->items[i]);
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, object ? '}' : ']'));
}

void tree_write(jrpc_buffer *out, const tree *value, unsigned how, jrpc_random *random)
{
    spelling s = {out, how, random, 0, value->kind == 'a'};
    write_value(&s, value);
}
