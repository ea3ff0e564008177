// Tables in case files by the book (cases/README.md): the second opinion on what a template and its
// rows become, as a file without any table.
#ifndef JRPC_FUZZ_MODEL_ROWS_H
#define JRPC_FUZZ_MODEL_ROWS_H

#include "fuzz/model/tree.h"

typedef struct rows_result {
    bool sound;          // every table is as the book says
    size_t count;        // cases that the file becomes, templates expanded
    const char **places; // of each case: its row's first byte, or its own where it has no table
} rows_result;

// Appends `file`, an Object with an Array `cases`, with each template replaced by its cases. Where
// a table is not as the book says nothing that is appended counts. Gives up (count > most, nothing
// appended) on more cases than `most`.
rows_result rows_expand(tree_pool *pool, const tree *file, size_t most, jrpc_buffer *out);

#endif
