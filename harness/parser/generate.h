// Texts for fuzzing, from seeds. Pure: the same seed gives the same texts.
#ifndef JCK_PARSER_GENERATE_H
#define JCK_PARSER_GENERATE_H

#include "harness/generate/mutate.h"
#include "reference/base/random.h"
#include "reference/json/value.h"

// The longest text that is generated.
#define JCK_TEXT_BYTES 1024
#define JCK_SEEDS_MAX 2048

typedef struct jck_text_generator {
    jrpc_random random;
    jck_mutator mutator;
    jrpc_slice seeds[JCK_SEEDS_MAX]; // borrowed
    size_t seed_count;
    jrpc_json_document document;
    jrpc_buffer respelled;
} jck_text_generator;

void jck_text_generator_init(jck_text_generator *generator, uint64_t seed);
void jck_text_generator_done(jck_text_generator *generator);
// Adds a text to start from (borrowed); ignored if it is too long or if there is no room for
// another.
void jck_text_generator_add(jck_text_generator *generator, jrpc_slice text);
// Writes the next text, and returns its length. There must be a seed.
size_t jck_text_generate(jck_text_generator *generator, char text[JCK_TEXT_BYTES]);

#endif
