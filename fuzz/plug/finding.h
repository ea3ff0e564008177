// What a plug is found to do: whether it counts, where its smallest example is kept, how it reads.
//
// A program with a plug asks its environment:
//   JRPC_PLUG_STRICT   what a specification leaves open counts as well
//   JRPC_PLUG_ALLOW    names of classes that do not count, separated by commas
//   JRPC_PLUG_FINDS    a folder: the smallest example of each class is kept there, in a file of the
//                      class's name, and the program goes on
//   JRPC_PLUG_EXPLAIN  what does not count is reported as well
// Without JRPC_PLUG_FINDS a finding that counts is reported on standard error and aborts the
// program, as every engine expects it.
#ifndef JRPC_FUZZ_PLUG_FINDING_H
#define JRPC_FUZZ_PLUG_FINDING_H

#include "reference/base/slice.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct plug_kind {
    const char *name;  // one word, as a file may be named
    const char *title; // what the plug does
    bool open;         // the specification leaves it open: counts only where asked for
} plug_kind;

// Writes lines "  expected  ..." and "  came      ..." on the input.
typedef void plug_explain(FILE *out, jrpc_slice text);

void plug_found(const plug_kind *kind, jrpc_slice text, plug_explain *explain);

// The bytes in one line: at most `most` of them, what cannot be shown as \xNN.
void plug_show(FILE *out, jrpc_slice bytes, size_t most);

#endif
