// An input being changed, within its room. Private to the mutator.
#ifndef JCK_GENERATE_EDIT_H
#define JCK_GENERATE_EDIT_H

#include "harness/generate/spans.h"
#include "harness/generate/vocabulary.h"
#include "reference/base/random.h"

#include <stdbool.h>

typedef struct jck_edit {
    uint8_t *data;
    size_t size;
    size_t room;
    const jck_vocabulary *vocabulary; // borrowed
    jrpc_random random;
    jck_spans found;
} jck_edit;

// Replaces [begin, end) with bytes, which may be part of the text itself. False, with nothing
// changed, if there is no room.
bool jck_edit_replace(jck_edit *e, size_t begin, size_t end, const void *bytes, size_t len);
size_t jck_edit_below(jck_edit *e, size_t bound);
jrpc_slice jck_edit_pick(jck_edit *e, const jck_words *table);
// Picks a value of the text, which must have at least one.
const jck_text_span *jck_edit_pick_span(jck_edit *e);
// Where the value begins, including its name.
size_t jck_edit_begin_of(const jck_text_span *s);

#endif
