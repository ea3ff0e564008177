#include "reference/base/allocator.h"

#include <stdlib.h>

static void *resize_on_heap(void *context, void *ptr, size_t size)
{
    (void)context;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, size);
}

const jrpc_allocator *jrpc_allocator_heap(void)
{
    static const jrpc_allocator heap = {resize_on_heap, NULL};
    return &heap;
}

static void *resize_or_fail(void *context, void *ptr, size_t size)
{
    jrpc_failing_allocator *failing = context;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    failing->count++;
    if (failing->remaining == 0) {
        return NULL;
    }
    failing->remaining--;
    return realloc(ptr, size);
}

void jrpc_failing_allocator_init(jrpc_failing_allocator *failing, size_t successes)
{
    failing->allocator = (jrpc_allocator){resize_or_fail, failing};
    failing->remaining = successes;
    failing->count = 0;
}

void *jrpc_allocate(const jrpc_allocator *allocator, size_t size)
{
    // Size 0 would mean "free": a block of one byte keeps NULL for failure alone.
    return allocator->resize(allocator->context, NULL, size == 0 ? 1 : size);
}

void *jrpc_reallocate(const jrpc_allocator *allocator, void *ptr, size_t size)
{
    return allocator->resize(allocator->context, ptr, size);
}

void jrpc_deallocate(const jrpc_allocator *allocator, void *ptr)
{
    if (ptr != NULL) {
        (void)allocator->resize(allocator->context, ptr, 0);
    }
}
