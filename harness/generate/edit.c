#include "harness/generate/edit.h"

enum { PIECE_BYTES = 4096 };

bool jck_edit_replace(jck_edit *e, size_t begin, size_t end, const void *bytes, size_t len)
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

size_t jck_edit_below(jck_edit *e, size_t bound)
{
    return (size_t)jrpc_random_below(&e->random, bound);
}

jrpc_slice jck_edit_pick(jck_edit *e, const jck_words *table)
{
    return table->count == 0 ? JRPC_SLICE("null") : table->items[jck_edit_below(e, table->count)];
}

const jck_text_span *jck_edit_pick_span(jck_edit *e)
{
    return &e->found.list[jck_edit_below(e, e->found.count)];
}

size_t jck_edit_begin_of(const jck_text_span *s)
{
    return s->name == SIZE_MAX ? s->begin : s->name;
}
