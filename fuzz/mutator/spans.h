// Where the values stand in a text that may be anything. Private to the mutator.
#ifndef JRPC_FUZZ_MUTATOR_SPANS_H
#define JRPC_FUZZ_MUTATOR_SPANS_H

#include <stddef.h>
#include <stdint.h>

#define SPANS_MAX 512

typedef struct span {
    size_t begin, end; // the value, without white space around it
    size_t name;       // of a member: where its name begins; else SIZE_MAX
    char kind;         // '{' '[' '"' '0' (number or literal)
    int parent;        // index of the container, -1 at the top
} span;

typedef struct spans {
    span list[SPANS_MAX];
    size_t count;
} spans;

// Finds the values; tolerant: brackets that are never closed end with the text.
void spans_find(spans *found, const uint8_t *text, size_t size);

#endif
