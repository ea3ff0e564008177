#include "reference/client/queue.h"

#include <string.h>

void jrpc_queue_init(jrpc_queue *queue, const jrpc_allocator *allocator)
{
    *queue = (jrpc_queue){.allocator = allocator, .last = &queue->first};
}

void jrpc_queue_done(jrpc_queue *queue)
{
    jrpc_queued *entry;
    while ((entry = jrpc_queue_take(queue)) != NULL) {
        jrpc_deallocate(queue->allocator, entry);
    }
}

bool jrpc_queue_add(jrpc_queue *queue, jrpc_slice text, uint64_t scope)
{
    jrpc_queued *entry = jrpc_allocate(queue->allocator, sizeof *entry + text.len);
    if (entry == NULL) {
        return false;
    }
    *entry = (jrpc_queued){.scope = scope, .len = text.len};
    memcpy(entry->text, text.ptr, text.len);
    *queue->last = entry;
    queue->last = &entry->next;
    return true;
}

jrpc_queued *jrpc_queue_take(jrpc_queue *queue)
{
    jrpc_queued *entry = queue->first;
    if (entry != NULL) {
        queue->first = entry->next;
        queue->last = queue->first == NULL ? &queue->first : queue->last;
    }
    return entry;
}
