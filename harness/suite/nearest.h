// The known word that a mistyped one was probably meant to be.
#ifndef JCK_SUITE_NEAREST_H
#define JCK_SUITE_NEAREST_H

#include "reference/base/slice.h"

#include <stddef.h>
#include <stdint.h>

// A search for the candidate nearest to one word. All slices are borrowed.
typedef struct jck_nearest {
    jrpc_slice word;
    jrpc_slice found;
    size_t distance; // of `found`: twice its edits, and one more if the first letters differ
    uint64_t bytes;  // which bytes `word` has, a bit for each that are the same modulo 64
} jck_nearest;

// Words longer than this many bytes are never near anything.
#define JCK_NEAREST_BYTES 96

void jck_nearest_init(jck_nearest *nearest, jrpc_slice word);
// Considers one more candidate; of equally near ones the first is kept.
void jck_nearest_offer(jck_nearest *nearest, jrpc_slice candidate);
// Considers a NULL-terminated list.
void jck_nearest_offer_all(jck_nearest *nearest, const char *const *candidates);
// Appends `; did you mean "…"?` to the `out_size` bytes of text at `out` if something is near
// enough to be a typing error (a third of the word's bytes), else nothing. Returns `out`.
const char *jck_nearest_hint(const jck_nearest *nearest, char *out, size_t out_size);

// Writes a NULL-terminated list as "a, b, c" (as much as fits) into `out`. Returns `out`.
const char *jck_word_list(const char *const *words, char *out, size_t out_size);

#endif
