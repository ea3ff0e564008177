#include "fuzz/model/tree.h"

#include "fuzz/fuzz.h"

#include <stdlib.h>

// A sanitizer's malloc is slow and most nodes are small, so they come out of larger pieces.
enum { CHUNK_BYTES = 4096 };

typedef struct tree_chunk {
    struct tree_chunk *next;
    size_t used, room;
    max_align_t data[];
} tree_chunk;

void *tree_alloc(tree_pool *pool, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    size_t rounded = (size + align - 1) / align * align;
    tree_chunk *chunk = pool->chunks;
    if (chunk == NULL || chunk->room - chunk->used < rounded) {
        size_t room = rounded < CHUNK_BYTES ? CHUNK_BYTES : rounded;
        chunk = calloc(1, sizeof *chunk + room);
        FUZZ_REQUIRE(chunk != NULL);
        *chunk = (tree_chunk){.next = pool->chunks, .room = room};
        pool->chunks = chunk;
    }
    void *block = (char *)chunk->data + chunk->used;
    chunk->used += rounded;
    return block;
}

void tree_pool_done(tree_pool *pool)
{
    while (pool->chunks != NULL) {
        tree_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
}

typedef struct cursor {
    tree_pool *pool;
    const char *p;
    const char *end;
} cursor;

static void skip_space(cursor *at)
{
    while (at->p < at->end && strchr(" \t\r\n", *at->p) != NULL) {
        at->p++;
    }
}

static unsigned hex4(const char *p)
{
    char digits[5] = {p[0], p[1], p[2], p[3], 0};
    return (unsigned)strtoul(digits, NULL, 16);
}

static size_t put_code_point(char *out, unsigned code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

static void decode(tree_pool *pool, tree *string)
{
    const char *p = string->spelling.ptr + 1;
    const char *end = string->spelling.ptr + string->spelling.len - 1;
    char *out = tree_alloc(pool, string->spelling.len);
    size_t len = 0;
    while (p < end) {
        if (*p != '\\') {
            out[len++] = *p++;
            continue;
        }
        const char *short_escapes = "\"\\/bfnrt";
        const char *meanings = "\"\\/\b\f\n\r\t";
        if (p[1] != 'u') {
            out[len++] = meanings[strchr(short_escapes, p[1]) - short_escapes];
            p += 2;
            continue;
        }
        unsigned code = hex4(p + 2);
        p += 6;
        if (code >= 0xD800 && code < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
            unsigned low = hex4(p + 2);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                p += 6;
            }
        }
        len += put_code_point(out + len, code);
    }
    string->content = (jrpc_slice){out, len};
}

static tree *read_value(cursor *at);

static void add(cursor *at, tree *container, tree *name, tree *value)
{
    // Rooms double when the count is a power of two.
    if ((container->count & (container->count - 1)) == 0) {
        size_t room = container->count == 0 ? 1 : container->count * 2;
        tree **items = tree_alloc(at->pool, room * sizeof *items);
        tree **names = tree_alloc(at->pool, room * sizeof *names);
        for (size_t i = 0; i < container->count; i++) {
            items[i] = container->items[i];
            names[i] = container->names[i];
        }
        container->items = items;
        container->names = names;
    }
    container->items[container->count] = value;
    container->names[container->count++] = name;
}

static void read_container(cursor *at, tree *container, char closing)
{
    at->p++;
    for (skip_space(at); *at->p != closing; skip_space(at)) {
        if (*at->p == ',') {
            at->p++;
        }
        tree *name = NULL;
        if (container->kind == 'o') {
            name = read_value(at);
            skip_space(at);
            at->p++; // the colon
        }
        add(at, container, name, read_value(at));
    }
    at->p++;
}

static void skip_string(cursor *at)
{
    for (at->p++; *at->p != '"'; at->p++) {
        if (*at->p == '\\') {
            at->p++;
        }
    }
    at->p++;
}

static tree *read_value(cursor *at)
{
    skip_space(at);
    tree *value = tree_alloc(at->pool, sizeof *value);
    value->spelling.ptr = at->p;
    switch (*at->p) {
    case '{':
        value->kind = 'o';
        read_container(at, value, '}');
        break;
    case '[':
        value->kind = 'a';
        read_container(at, value, ']');
        break;
    case '"':
        value->kind = 's';
        skip_string(at);
        break;
    case 'n':
        value->kind = 'z';
        at->p += 4;
        break;
    case 't':
        value->kind = 'b';
        at->p += 4;
        break;
    case 'f':
        value->kind = 'b';
        at->p += 5;
        break;
    default:
        value->kind = '0';
        while (at->p < at->end && *at->p != '\0' && strchr("+-.eE0123456789", *at->p) != NULL) {
            at->p++;
        }
        break;
    }
    value->spelling.len = (size_t)(at->p - value->spelling.ptr);
    if (value->kind == 's') {
        decode(at->pool, value);
    }
    return value;
}

tree *tree_read(tree_pool *pool, jrpc_slice text)
{
    cursor at = {pool, text.ptr, text.ptr + text.len};
    return read_value(&at);
}

bool tree_is_text(const tree *string, const char *text)
{
    return string != NULL && string->kind == 's' && jrpc_slice_is(string->content, text);
}

tree *tree_member(const tree *object, const char *name)
{
    tree *found = NULL;
    for (size_t i = 0; object->kind == 'o' && i < object->count; i++) {
        if (tree_is_text(object->names[i], name)) {
            found = object->items[i];
        }
    }
    return found;
}

bool tree_has_only(const tree *object, const char *const *known)
{
    for (size_t i = 0; i < object->count; i++) {
        size_t k = 0;
        while (known[k] != NULL && !tree_is_text(object->names[i], known[k])) {
            k++;
        }
        if (known[k] == NULL || tree_member(object, known[k]) != object->items[i]) {
            return false;
        }
    }
    return true;
}

bool tree_has_text(const tree *value)
{
    return value != NULL && value->kind == 's' && value->content.len != 0;
}

bool tree_is_between(const tree *value, unsigned long least, unsigned long most, bool *ret_unsure)
{
    unsigned long number = 0;
    for (size_t i = 0; value->kind == '0' && i < value->spelling.len; i++) {
        char digit = value->spelling.ptr[i];
        if (digit < '0' || digit > '9') {
            *ret_unsure = true;
            return true;
        }
        number = number > most ? number : number * 10 + (unsigned long)(digit - '0');
    }
    return value->kind == '0' && number >= least && number <= most;
}
