// What a report lists of a run: its groups, its causes with their examples, how long it took. Each
// fails unless the report has it, in order, with its numbers.
#ifndef JRPC_FUZZ_MODEL_LISTED_H
#define JRPC_FUZZ_MODEL_LISTED_H

#include "fuzz/model/runs.h"

// `object`: the run in a JSON report.
void listed_require_json(tree_pool *pool, const tree *object, const runs_run *run);
// Take what belongs to the run off the front of the report; `examples` are kept of each cause.
void listed_require_markdown(tree_pool *pool, jrpc_slice *report, const runs_run *run,
                             size_t examples);
void listed_require_html(tree_pool *pool, jrpc_slice *report, const runs_run *run, size_t examples);
// Whether a text begins with the time that the run took, in words; true if the run does not say.
bool listed_is_duration(jrpc_slice text, const runs_run *run);

#endif
