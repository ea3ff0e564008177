// The order in which the events of a stream may come: one run ends before the next begins, and each
// counts its cases correctly.
#ifndef JRPC_FUZZ_MODEL_ORDER_H
#define JRPC_FUZZ_MODEL_ORDER_H

#include "fuzz/model/runs.h"

typedef struct order {
    bool in_run;
    size_t runs;
    size_t counts[RUNS_OUTCOMES]; // of the run
} order;

// Takes an event and returns whether it may come next. *ret_unsure: a reader may still refuse it,
// because this model checks neither the schema of a run, nor whether the run came before, nor
// counts that are long or have a fraction.
bool order_take(order *so_far, const tree *event, bool *ret_unsure);

#endif
