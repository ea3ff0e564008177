#include "reference/base/arena.h"

#include "reference/base/checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ALIGNMENT _Alignof(max_align_t)
#define BLOCK_BYTES ((size_t)4096)
#define BLOCK_BYTES_MOST ((size_t)1 << 20)

typedef struct jrpc_arena_block {
    struct jrpc_arena_block *next;
    size_t capacity;
    size_t used;
    max_align_t bytes[];
} jrpc_arena_block;

void jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit)
{
    *arena = (jrpc_arena){.allocator = allocator, .limit = limit};
}

static void free_blocks(const jrpc_arena *arena, jrpc_arena_block *block)
{
    while (block != NULL) {
        jrpc_arena_block *next = block->next;
        jrpc_deallocate(arena->allocator, block);
        block = next;
    }
}

void jrpc_arena_done(jrpc_arena *arena)
{
    free_blocks(arena, arena->blocks);
    arena->blocks = NULL;
    arena->used = 0;
    arena->failed = false;
}

void jrpc_arena_clear(jrpc_arena *arena)
{
    // The newest block is the largest: keeping it makes an arena that is used again and again
    // settle on one block.
    if (arena->blocks != NULL) {
        free_blocks(arena, arena->blocks->next);
        arena->blocks->next = NULL;
        arena->blocks->used = 0;
    }
    arena->used = 0;
    arena->failed = false;
}

static jrpc_arena_block *add_block(jrpc_arena *arena, size_t needed)
{
    size_t capacity = BLOCK_BYTES;
    if (arena->blocks != NULL) {
        // A block for something large says nothing of what comes next.
        capacity = arena->blocks->capacity < BLOCK_BYTES_MOST / 2 ? arena->blocks->capacity * 2
                                                                  : BLOCK_BYTES_MOST;
    }
    if (capacity < needed) {
        capacity = needed;
    }
    size_t total;
    if (!jrpc_checked_add(capacity, sizeof(jrpc_arena_block), &total)) {
        return NULL;
    }
    jrpc_arena_block *block = jrpc_allocate(arena->allocator, total);
    if (block == NULL) {
        return NULL;
    }
    block->next = arena->blocks;
    block->capacity = capacity;
    block->used = 0;
    arena->blocks = block;
    return block;
}

static void *refuse(jrpc_arena *arena)
{
    arena->failed = true;
    return NULL;
}

void *jrpc_arena_alloc(jrpc_arena *arena, size_t size)
{
    size_t rounded;
    if (!jrpc_checked_add(size == 0 ? 1 : size, ALIGNMENT - 1, &rounded)) {
        return refuse(arena);
    }
    rounded -= rounded % ALIGNMENT;
    // The limit counts what was asked for; rounding up must not make a fitting request fail.
    if (size > arena->limit - arena->used) {
        return refuse(arena);
    }
    jrpc_arena_block *block = arena->blocks;
    if (block == NULL || block->capacity - block->used < rounded) {
        block = add_block(arena, rounded);
        if (block == NULL) {
            return refuse(arena);
        }
    }
    char *bytes = (char *)block->bytes + block->used;
    block->used += rounded;
    size_t left = arena->limit - arena->used;
    arena->used += rounded < left ? rounded : left;
    return memset(bytes, 0, size);
}

void *jrpc_arena_array(jrpc_arena *arena, size_t count, size_t size)
{
    size_t total;
    if (!jrpc_checked_multiply(count, size, &total)) {
        return refuse(arena);
    }
    return jrpc_arena_alloc(arena, total);
}

bool jrpc_arena_copy(jrpc_arena *arena, jrpc_slice bytes, jrpc_slice *ret_copy)
{
    size_t size;
    if (!jrpc_checked_add(bytes.len, 1, &size)) {
        arena->failed = true;
        return false;
    }
    char *copy = jrpc_arena_alloc(arena, size);
    if (copy == NULL) {
        return false;
    }
    if (bytes.len > 0) {
        memcpy(copy, bytes.ptr, bytes.len);
    }
    *ret_copy = jrpc_slice_of(copy, bytes.len);
    return true;
}

char *jrpc_arena_printf(jrpc_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (len < 0) {
        return NULL;
    }
    size_t size = (size_t)len + 1;
    char *text = jrpc_arena_alloc(arena, size);
    if (text == NULL) {
        return NULL;
    }
    va_start(arguments, format);
    (void)vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

// realloc over an arena: blocks carry their size in front and are never freed on their own.
static void *arena_resize(void *context, void *ptr, size_t size)
{
    enum { HEAD = 16 }; // keeps the alignment of any type
    if (size == 0 || size > SIZE_MAX - HEAD) {
        return NULL;
    }
    char *block = jrpc_arena_alloc(context, size + HEAD);
    if (block == NULL) {
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    if (ptr != NULL) {
        size_t old;
        memcpy(&old, (char *)ptr - HEAD, sizeof old);
        memcpy(block + HEAD, ptr, old < size ? old : size);
    }
    return block + HEAD;
}

const jrpc_allocator *jrpc_arena_allocator(jrpc_arena *arena)
{
    jrpc_allocator *allocator = jrpc_arena_alloc(arena, sizeof *allocator);
    if (allocator != NULL) {
        *allocator = (jrpc_allocator){.resize = arena_resize, .context = arena};
    }
    return allocator;
}
