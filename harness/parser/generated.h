// The generated texts of a run, a batch at a time. Private to the parser room.
#ifndef JCK_PARSER_GENERATED_H
#define JCK_PARSER_GENERATED_H

#include "harness/parser/generate.h"
#include "harness/parser/run_state.h"

#define JCK_GENERATED_BATCH 512

typedef struct jck_generated {
    const jck_run_options *options; // borrowed
    jck_text_generator generator;
    char texts[JCK_GENERATED_BATCH][JCK_TEXT_BYTES];
    size_t count; // of all batches so far
    int64_t deadline_us;
} jck_generated;

// Starts from the texts of the selected cases. Texts are generated until options->max_us (0: a
// minute) or options->texts is used up; from now on the end of that time does not stop the run.
void jck_generated_init(jck_generated *generated, jck_parser_run_state *run);
void jck_generated_done(jck_generated *generated);
// Returns the next texts, at most JCK_GENERATED_BATCH, valid until the next call; returns their
// number, 0 at the end.
size_t jck_generated_next(jck_generated *generated, jrpc_slice *ret_texts);

#endif
