#include "fuzz/model/unsafe.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/plain.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    jrpc_slice rest;
    char *out;
    size_t len;
} reading;

static reading begin(tree_pool *pool, jrpc_slice written)
{
    return (reading){written, tree_alloc(pool, written.len + 1), 0};
}

static jrpc_slice end(const reading *self)
{
    return jrpc_slice_of(self->out, self->len);
}

static void keep(reading *self, char byte, size_t len)
{
    self->out[self->len++] = byte;
    self->rest = jrpc_slice_from(self->rest, len);
}

static bool at(const reading *self, const char *text)
{
    return jrpc_slice_starts_with(self->rest, jrpc_slice_str(text));
}

// A character reference at the beginning: its length, and the character; fails where it is none.
static size_t reference(jrpc_slice text, char *ret)
{
    static const struct {
        const char *name;
        char byte;
    } names[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (jrpc_slice_starts_with(text, jrpc_slice_str(names[i].name))) {
            *ret = names[i].byte;
            return strlen(names[i].name);
        }
    }
    unsigned code = 0;
    size_t len = 2;
    FUZZ_REQUIRE(jrpc_slice_starts_with(text, JRPC_SLICE("&#")));
    for (; len < text.len && text.ptr[len] >= '0' && text.ptr[len] <= '9' && len < 6; len++) {
        code = code * 10 + (unsigned)(text.ptr[len] - '0');
    }
    FUZZ_REQUIRE(len > 2 && len < text.len && text.ptr[len] == ';' && code >= 0x20 && code < 0x7F);
    *ret = (char)code;
    return len + 1;
}

static jrpc_slice from_markup(tree_pool *pool, jrpc_slice written, bool marked)
{
    reading self = begin(pool, written);
    bool inside = false; // a mark
    while (self.rest.len != 0) {
        char byte = self.rest.ptr[0];
        if (marked && (at(&self, "<b>\\x") || at(&self, "<i>\\x"))) {
            FUZZ_REQUIRE(!inside);
            inside = true;
            self.rest = jrpc_slice_from(self.rest, 3);
        } else if (marked && (at(&self, "</b>") || at(&self, "</i>"))) {
            FUZZ_REQUIRE(inside);
            inside = false;
            self.rest = jrpc_slice_from(self.rest, 4);
        } else if (byte == '&') {
            char meant;
            size_t len = reference(self.rest, &meant);
            keep(&self, meant, len);
        } else {
            FUZZ_REQUIRE(byte != '<' && byte != '>' && byte != '"');
            // Every byte that is spelled is marked, and nothing else.
            FUZZ_REQUIRE(!marked || inside || !at(&self, "\\x"));
            keep(&self, byte, 1);
        }
    }
    FUZZ_REQUIRE(!inside);
    return end(&self);
}

jrpc_slice unsafe_from_markup(tree_pool *pool, jrpc_slice written)
{
    return from_markup(pool, written, false);
}

jrpc_slice unsafe_from_marked(tree_pool *pool, jrpc_slice written)
{
    return from_markup(pool, written, true);
}

jrpc_slice unsafe_from_tap(tree_pool *pool, jrpc_slice written)
{
    reading self = begin(pool, written);
    while (self.rest.len != 0) {
        if (self.rest.ptr[0] == '\\') {
            FUZZ_REQUIRE(self.rest.len > 1 && strchr("\\#", self.rest.ptr[1]) != NULL);
            keep(&self, self.rest.ptr[1], 2);
        } else {
            FUZZ_REQUIRE(self.rest.ptr[0] != '#');
            keep(&self, self.rest.ptr[0], 1);
        }
    }
    return end(&self);
}

static bool is_digit(jrpc_slice text, size_t i)
{
    return i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9';
}

jrpc_slice unsafe_from_sarif(tree_pool *pool, jrpc_slice message)
{
    reading self = begin(pool, message);
    while (self.rest.len != 0) {
        bool doubled = at(&self, "{{") && is_digit(self.rest, 2);
        bool escaped = at(&self, "\\](");
        FUZZ_REQUIRE(doubled || !at(&self, "{") || !is_digit(self.rest, 1));
        FUZZ_REQUIRE(!at(&self, "]("));
        if (doubled || escaped) {
            keep(&self, self.rest.ptr[1], 2);
        } else {
            keep(&self, self.rest.ptr[0], 1);
        }
    }
    return end(&self);
}

static int hex(jrpc_slice text, size_t i)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *found = i < text.len && text.ptr[i] != '\0' ? strchr(digits, text.ptr[i]) : NULL;
    return found == NULL ? -1 : (int)((found - digits) % 16);
}

// Two digits after `prefix` become one byte.
static void take_hex(reading *self, size_t prefix)
{
    int high = hex(self->rest, prefix);
    int low = hex(self->rest, prefix + 1);
    FUZZ_REQUIRE(high >= 0 && low >= 0);
    keep(self, (char)(high << 4 | low), prefix + 2);
}

jrpc_slice unsafe_from_uri(tree_pool *pool, jrpc_slice written)
{
    reading self = begin(pool, written);
    while (self.rest.len != 0) {
        unsigned char byte = (unsigned char)self.rest.ptr[0];
        if (byte == '%') {
            take_hex(&self, 1);
        } else {
            // RFC 3986, sections 2.2 and 3.3: what a path may hold as it is.
            FUZZ_REQUIRE(byte > ' ' && byte < 0x7F && strchr("\"#<>?[\\]^`{|}", byte) == NULL);
            keep(&self, (char)byte, 1);
        }
    }
    return end(&self);
}

jrpc_slice unsafe_bytes(tree_pool *pool, jrpc_slice plain)
{
    plain_require(plain);
    reading self = begin(pool, plain);
    while (self.rest.len != 0) {
        if (at(&self, "\\x")) {
            take_hex(&self, 2);
        } else {
            keep(&self, self.rest.ptr[0], 1);
        }
    }
    return end(&self);
}

jrpc_slice unsafe_sentence(tree_pool *pool, jrpc_slice sentence)
{
    static const char digits[] = "0123456789abcdef";
    reading self = begin(pool, sentence);
    while (self.rest.len != 0) {
        const char *ptr = self.rest.ptr;
        const char *high =
            at(&self, "\\x") && self.rest.len > 3 && ptr[2] != '\0' ? strchr(digits, ptr[2]) : NULL;
        const char *low = high != NULL && ptr[3] != '\0' ? strchr(digits, ptr[3]) : NULL;
        if (low != NULL) {
            keep(&self, (char)((high - digits) * 16 + (low - digits)), 4);
        } else {
            keep(&self, *ptr, 1);
        }
    }
    return end(&self);
}
