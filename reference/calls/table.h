// The calls under way, by message and id. Private to this room.
#ifndef JRPC_CALLS_TABLE_H
#define JRPC_CALLS_TABLE_H

#include "reference/calls/calls.h"

typedef struct jrpc_pending {
    jrpc_answered *answered;
    void *context;
    int64_t deadline_us;
    bool over;
} jrpc_pending;

// One message with at least one call in it. Its ids are first, first + 1, …
typedef struct jrpc_sent {
    uint64_t first;
    size_t count;
    size_t left; // calls under way
    bool heard;  // an element of the Array at hand answers it
    jrpc_pending calls[];
} jrpc_sent;

typedef struct jrpc_table {
    const jrpc_allocator *allocator; // borrowed
    jrpc_sent **messages;            // owned, by ascending id; those without calls left go later
    size_t count, capacity;
    size_t live;      // messages with calls under way
    size_t under_way; // calls
    uint64_t next_id;
    int64_t soonest_us; // no deadline is earlier
} jrpc_table;

void jrpc_table_init(jrpc_table *table, const jrpc_allocator *allocator);
void jrpc_table_done(jrpc_table *table);
// Makes room for a message of `calls` calls, whose ids begin with table->next_id. NULL when memory
// is out. It is not in the table before jrpc_table_add, which cannot fail; freed by
// jrpc_table_drop instead.
jrpc_sent *jrpc_table_prepare(jrpc_table *table, size_t calls);
void jrpc_table_add(jrpc_table *table, jrpc_sent *sent);
void jrpc_table_drop(jrpc_table *table, jrpc_sent *sent);
// The message that the call of that id went out in, if calls of it are under way; else NULL.
jrpc_sent *jrpc_table_message(const jrpc_table *table, uint64_t id);
// The first message with calls under way whose last id is at least `id`; else NULL. For walks
// during which calls are begun and finished: go on with first + count.
jrpc_sent *jrpc_table_from(const jrpc_table *table, uint64_t id);
// The call of that id, if it is under way, with its message; else NULL.
jrpc_pending *jrpc_table_find(const jrpc_table *table, uint64_t id, jrpc_sent **ret_sent);
// Takes a call out of what is under way. Its message stays readable until the next add.
void jrpc_table_finish(jrpc_table *table, jrpc_sent *sent, jrpc_pending *call);
// The only message under way; NULL if there is none or more than one.
jrpc_sent *jrpc_table_only(const jrpc_table *table);

#endif
