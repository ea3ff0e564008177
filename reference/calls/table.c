#include "reference/calls/table.h"

#include <assert.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

void jrpc_table_init(jrpc_table *table, const jrpc_allocator *allocator)
{
    *table = (jrpc_table){.allocator = allocator, .next_id = 1, .soonest_us = JRPC_DEADLINE_NEVER};
}

void jrpc_table_done(jrpc_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        jrpc_deallocate(table->allocator, table->messages[i]);
    }
    jrpc_deallocate(table->allocator, table->messages);
    *table = (jrpc_table){.allocator = table->allocator};
}

// Drops the messages that have no calls left: at least half of them, so that each is moved at most
// as often as others are dropped.
static void compact(jrpc_table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (table->messages[i]->left > 0) {
            table->messages[kept++] = table->messages[i];
        } else {
            jrpc_deallocate(table->allocator, table->messages[i]);
        }
    }
    table->count = kept;
}

static bool make_room(jrpc_table *table)
{
    if (table->count >= FIRST_CAPACITY && table->live <= table->count / 2) {
        compact(table);
    }
    if (table->count < table->capacity) {
        return true;
    }
    size_t capacity = table->capacity == 0 ? FIRST_CAPACITY : table->capacity * 2;
    jrpc_sent **messages =
        jrpc_reallocate(table->allocator, table->messages, capacity * sizeof *messages);
    if (messages == NULL) {
        return false;
    }
    table->messages = messages;
    table->capacity = capacity;
    return true;
}

jrpc_sent *jrpc_table_prepare(jrpc_table *table, size_t calls)
{
    size_t room = sizeof(jrpc_sent) + calls * sizeof(jrpc_pending);
    jrpc_sent *sent = make_room(table) ? jrpc_allocate(table->allocator, room) : NULL;
    if (sent != NULL) {
        memset(sent, 0, room);
        sent->first = table->next_id;
        sent->count = sent->left = calls;
    }
    return sent;
}

void jrpc_table_add(jrpc_table *table, jrpc_sent *sent)
{
    assert(sent->first == table->next_id && table->count < table->capacity);
    table->messages[table->count++] = sent;
    table->live++;
    table->under_way += sent->count;
    table->next_id += sent->count;
    for (size_t i = 0; i < sent->count; i++) {
        int64_t deadline = sent->calls[i].deadline_us;
        table->soonest_us = deadline < table->soonest_us ? deadline : table->soonest_us;
    }
}

void jrpc_table_drop(jrpc_table *table, jrpc_sent *sent)
{
    jrpc_deallocate(table->allocator, sent);
}

jrpc_sent *jrpc_table_from(const jrpc_table *table, uint64_t id)
{
    size_t low = 0;
    size_t high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const jrpc_sent *sent = table->messages[middle];
        if (sent->first + sent->count > id) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    while (low < table->count && table->messages[low]->left == 0) {
        low++;
    }
    return low < table->count ? table->messages[low] : NULL;
}

jrpc_sent *jrpc_table_message(const jrpc_table *table, uint64_t id)
{
    jrpc_sent *sent = jrpc_table_from(table, id);
    return sent != NULL && sent->first <= id ? sent : NULL;
}

jrpc_pending *jrpc_table_find(const jrpc_table *table, uint64_t id, jrpc_sent **ret_sent)
{
    jrpc_sent *sent = jrpc_table_message(table, id);
    jrpc_pending *call = sent == NULL ? NULL : &sent->calls[id - sent->first];
    if (call == NULL || call->over) {
        return NULL;
    }
    *ret_sent = sent;
    return call;
}

void jrpc_table_finish(jrpc_table *table, jrpc_sent *sent, jrpc_pending *call)
{
    assert(!call->over && sent->left > 0);
    call->over = true;
    sent->left--;
    table->under_way--;
    table->live -= sent->left == 0;
}

jrpc_sent *jrpc_table_only(const jrpc_table *table)
{
    return table->live == 1 ? jrpc_table_from(table, 0) : NULL;
}
