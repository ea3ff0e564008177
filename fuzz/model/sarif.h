// A SARIF report beside the events that it was made of: each finding with weight is a result, said
// as the finding says it, at the place of its case, with its level; each rule has the worst level
// that was said of it.
#ifndef JRPC_FUZZ_MODEL_SARIF_H
#define JRPC_FUZZ_MODEL_SARIF_H

#include "fuzz/model/runs.h"

// `run` is one of the report's runs.
void sarif_require(tree_pool *pool, const tree *run, const runs_run *told);

#endif
