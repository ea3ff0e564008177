// Finds the values in a text that may be anything. Private to the mutator.
#ifndef JCK_GENERATE_SPANS_H
#define JCK_GENERATE_SPANS_H

#include <stddef.h>
#include <stdint.h>

#define JCK_SPANS_MAX 512

typedef struct jck_text_span {
    size_t begin, end; // the value, without white space around it
    size_t name;       // of a member: where its name begins; else SIZE_MAX
    char kind;         // '{' '[' '"' '0' (number or literal)
    int parent;        // index of the container, -1 at the top
} jck_text_span;

typedef struct jck_spans {
    jck_text_span list[JCK_SPANS_MAX];
    size_t count;
} jck_spans;

// Finds the values, the first JCK_SPANS_MAX of them; tolerant: brackets that are never closed end
// with the text.
void jck_spans_find(jck_spans *found, const uint8_t *text, size_t size);

#endif
