#include "fuzz/mutator/edit.h"

enum { PIECE_BYTES = 4096 };

bool edit_replace(edit *e, size_t begin, size_t end, const void *bytes, size_t len)
{
    uint8_t piece[PIECE_BYTES];
    size_t rest = e->size - end;
    if (len > sizeof piece || begin + rest > e->room || len > e->room - begin - rest) {
        return false;
    }
    if (len != 0) {
        memcpy(piece, bytes, len);
    }
    memmove(e->data + begin + len, e->data + end, rest);
    if (len != 0) {
        memcpy(e->data + begin, piece, len);
    }
    e->size = begin + len + rest;
    return true;
}

size_t edit_below(edit *e, size_t bound)
{
    return (size_t)jrpc_random_below(&e->random, bound);
}

jrpc_slice edit_pick(edit *e, const mutator_table *table)
{
    return table->count == 0 ? JRPC_SLICE("null") : table->items[edit_below(e, table->count)];
}

const span *edit_pick_span(edit *e)
{
    return &e->found.list[edit_below(e, e->found.count)];
}

size_t edit_begin_of(const span *s)
{
    return s->name == SIZE_MAX ? s->begin : s->name;
}
