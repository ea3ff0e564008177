// An input being changed, within its room. Private to the mutator.
#ifndef JRPC_FUZZ_MUTATOR_EDIT_H
#define JRPC_FUZZ_MUTATOR_EDIT_H

#include "fuzz/mutator/spans.h"
#include "fuzz/mutator/tables.h"
#include "reference/base/random.h"

#include <stdbool.h>

typedef struct edit {
    uint8_t *data;
    size_t size; // of the text, options not counted
    size_t room;
    jrpc_random random;
    spans found;
} edit;

// Puts bytes in the place of [begin, end). They may lie in the text itself. False, with nothing
// changed, if there is no room.
bool edit_replace(edit *e, size_t begin, size_t end, const void *bytes, size_t len);
size_t edit_below(edit *e, size_t bound);
jrpc_slice edit_pick(edit *e, const mutator_table *table);
// A value of the text; there is at least one.
const span *edit_pick_span(edit *e);
// Where the value begins, its name included.
size_t edit_begin_of(const span *s);

#endif
