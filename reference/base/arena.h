// Memory that is freed as a whole: one arena a run, one an exchange.
#ifndef JRPC_BASE_ARENA_H
#define JRPC_BASE_ARENA_H

#include "reference/base/allocator.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jrpc_arena {
    const jrpc_allocator *allocator; // borrowed
    struct jrpc_arena_block *blocks;
    size_t used;  // bytes handed out
    size_t limit; // most bytes that may be handed out
    bool failed;  // an allocation was refused since init or clear: checked once at the end
} jrpc_arena;

// Initializes caller's storage. `allocator` is borrowed until done; `limit` is in bytes.
void jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit);
// Frees everything; the arena may be initialized again. Accepts a zeroed arena.
void jrpc_arena_done(jrpc_arena *arena);
// Frees what was handed out and keeps the arena usable.
void jrpc_arena_clear(jrpc_arena *arena);

// `size` bytes, zeroed, aligned for any type; valid until clear or done. NULL when the limit or the
// allocator says no.
void *jrpc_arena_alloc(jrpc_arena *arena, size_t size);
// Room for `count` items of `size` bytes; NULL also when the product overflows.
void *jrpc_arena_array(jrpc_arena *arena, size_t count, size_t size);
// A copy of the bytes with a NUL after them (not counted in len). False leaves *ret_copy as it
// was.
bool jrpc_arena_copy(jrpc_arena *arena, jrpc_slice bytes, jrpc_slice *ret_copy);
// printf into the arena; NULL on failure.
char *jrpc_arena_printf(jrpc_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// An allocator whose memory comes from the arena and goes with it: what it frees is not used again.
// NULL when the arena is full.
const jrpc_allocator *jrpc_arena_allocator(jrpc_arena *arena);

#endif
