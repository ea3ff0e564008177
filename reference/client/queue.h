// Messages that wait until the exchange before theirs is over. Private to this room.
#ifndef JRPC_CLIENT_QUEUE_H
#define JRPC_CLIENT_QUEUE_H

#include "reference/base/allocator.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jrpc_queued {
    struct jrpc_queued *next;
    uint64_t scope; // the id of its first call, 0 if there is none
    size_t len;
    char text[];
} jrpc_queued;

typedef struct jrpc_queue {
    const jrpc_allocator *allocator; // borrowed
    jrpc_queued *first, **last;
} jrpc_queue;

void jrpc_queue_init(jrpc_queue *queue, const jrpc_allocator *allocator);
void jrpc_queue_done(jrpc_queue *queue);
// Keeps a copy. False when memory is out.
bool jrpc_queue_add(jrpc_queue *queue, jrpc_slice text, uint64_t scope);
// Takes the first one out, which the caller then frees with jrpc_deallocate. NULL if there is none.
jrpc_queued *jrpc_queue_take(jrpc_queue *queue);

#endif
