// Streams as lists of frames: the second opinion on framings, taking a whole stream at once.
#ifndef JRPC_FUZZ_MODEL_FRAMES_H
#define JRPC_FUZZ_MODEL_FRAMES_H

#include "fuzz/model/tree.h"
#include "reference/wire/framing.h"

typedef struct frame {
    bool good;
    jrpc_slice bytes;
    jrpc_error_code code; // of a bad one
    struct frame *next;
} frame;

typedef struct frames {
    frame *first;
    frame **last;
    size_t count;
} frames;

void frames_init(frames *list);
// Appends a copy.
void frames_add(frames *list, tree_pool *pool, bool good, jrpc_slice bytes, jrpc_error_code code);

// What a whole stream holds. Exact, but for concatenated: there the frames up to the first place
// where the model has no opinion. *ret_exact says which.
void frames_expected(frames *list, tree_pool *pool, jrpc_framing framing, jrpc_slice stream,
                     size_t max_message, bool *ret_exact);

#endif
