// The words that generated inputs are made of, provided by the caller.
#ifndef JCK_GENERATE_VOCABULARY_H
#define JCK_GENERATE_VOCABULARY_H

#include "reference/base/slice.h"

typedef struct jck_words {
    const jrpc_slice *items;
    size_t count;
} jck_words;

typedef struct jck_vocabulary {
    jck_words names;    // member names, with quotes
    jck_words scalars;  // strings, numbers, literals, as spelled
    jck_words messages; // whole messages
    jck_words bytes;    // bytes that are not valid JSON
} jck_vocabulary;

#endif
