// A stream of Content-Length frames as a list: heads rightly and wrongly spelled, what is refused
// of them, and where the next frame begins. Knows the whole stream at once.
#ifndef JRPC_FUZZ_MODEL_HEADS_H
#define JRPC_FUZZ_MODEL_HEADS_H

#include "fuzz/model/frames.h"

void heads_expected(frames *list, tree_pool *pool, jrpc_slice stream, size_t max_message);

#endif
