// In which order the events of a stream may come: runs begin and end in turn, and each counts its
// cases right.
#ifndef JRPC_FUZZ_MODEL_ORDER_H
#define JRPC_FUZZ_MODEL_ORDER_H

#include "fuzz/model/runs.h"

typedef struct order {
    bool in_run;
    size_t runs;
    size_t counts[RUNS_OUTCOMES]; // of the run
} order;

// Takes an event; whether it may come next. *ret_unsure is set if a reader may refuse it all the
// same: this model does not read the schema of a run, whether the run came before, and counts that
// are long or have a fraction.
bool order_take(order *so_far, const tree *event, bool *ret_unsure);

#endif
