// What the mutator puts in: generated from the case files by fuzz/tools/seeds.py. Private to the
// mutator.
#ifndef JRPC_FUZZ_MUTATOR_TABLES_H
#define JRPC_FUZZ_MUTATOR_TABLES_H

#include "reference/base/slice.h"

typedef struct mutator_table {
    const jrpc_slice *items;
    size_t count;
} mutator_table;

extern const mutator_table mutator_names;    // member names, with quotes
extern const mutator_table mutator_scalars;  // strings, numbers, literals, as spelled
extern const mutator_table mutator_messages; // whole messages that cases send
extern const mutator_table mutator_bytes;    // what cases send that is no JSON

#endif
