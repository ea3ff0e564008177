// Where memory comes from. Everything that allocates takes an allocator, so that a test can make
// the n-th allocation fail.
#ifndef JRPC_BASE_ALLOCATOR_H
#define JRPC_BASE_ALLOCATOR_H

#include <stddef.h>

typedef struct jrpc_allocator {
    // Resizes `ptr` (NULL: a new block) to `size` bytes, as realloc does; size 0 frees and returns
    // NULL. Returns NULL on failure, and then leaves the old block as it was.
    void *(*resize)(void *context, void *ptr, size_t size);
    void *context;
} jrpc_allocator;

// The allocator over the C library's heap. Never NULL; valid for ever; safe from every thread.
const jrpc_allocator *jrpc_allocator_heap(void);

// For tests: an allocator over the heap whose allocations fail from a chosen one on.
typedef struct jrpc_failing_allocator {
    jrpc_allocator allocator;
    size_t remaining; // allocations that still succeed; counted down; resizes count, frees do not
    size_t count;     // allocations asked for so far
} jrpc_failing_allocator;

// Initializes caller's storage: the first `successes` allocations succeed, all later ones fail.
void jrpc_failing_allocator_init(jrpc_failing_allocator *failing, size_t successes);

void *jrpc_allocate(const jrpc_allocator *allocator, size_t size);
void *jrpc_reallocate(const jrpc_allocator *allocator, void *ptr, size_t size);
void jrpc_deallocate(const jrpc_allocator *allocator, void *ptr); // accepts NULL

#endif
