// What a loader of our own files reports: every diagnostic has its place, and memory that runs out
// is reported once.
#ifndef JRPC_FUZZ_TOLD_H
#define JRPC_FUZZ_TOLD_H

#include "reference/base/error.h"

typedef struct fuzz_told {
    size_t count;    // diagnostics
    size_t memory;   // … that say that memory ran out
    size_t lines;    // of the text that is read, so that no place lies after its end; 0: any
    jrpc_slice text; // in which the places are checked; NULL: they are not
} fuzz_told;

// As jck_diagnose; `context` is a fuzz_told.
void fuzz_tell(void *context, const jrpc_error *error);

size_t fuzz_count_lines(jrpc_slice text);

#endif
