// RFC 8259 as an automaton that takes one byte at a time: the second opinion on what is JSON.
//
// Written from the RFC's grammar, apart from reference/json: every byte either leaves the text a
// possible beginning of some JSON text or does not, and the first that does not is the error's
// place.
#ifndef JRPC_FUZZ_MODEL_GRAMMAR_H
#define JRPC_FUZZ_MODEL_GRAMMAR_H

#include "reference/base/slice.h"

#include <stdint.h>

typedef enum grammar_verdict {
    GRAMMAR_JSON,       // exactly one value
    GRAMMAR_WRONG,      // no JSON text begins like this; `offset` is the first such byte
    GRAMMAR_UNFINISHED, // a JSON text begins like this; `offset` is the length
    GRAMMAR_DEEP,       // nested deeper than allowed; `offset` is the bracket
} grammar_verdict;

// Where in the grammar the offset lies.
typedef enum grammar_place {
    GRAMMAR_BETWEEN, // between tokens, before the text's value is complete
    GRAMMAR_BEHIND,  // after the complete value
    GRAMMAR_STRING,
    GRAMMAR_ESCAPE,
    GRAMMAR_UTF8, // inside a sequence
    GRAMMAR_NUMBER,
    GRAMMAR_LITERAL,
} grammar_place;

typedef struct grammar_result {
    grammar_verdict verdict;
    size_t offset;
    grammar_place place;
} grammar_result;

// Judges a whole text. `max_depth` 1 allows `[]`.
grammar_result grammar_check(jrpc_slice text, uint32_t max_depth);

// The length of the value that the text begins with, white space before it included, where its end
// shows itself (brackets and quotes, not numbers and literals); 0 if there is none.
size_t grammar_first_value(jrpc_slice text);

#endif
