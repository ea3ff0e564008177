// What the mutator puts in: generated from the case files by fuzz/tools/tables.py.
#ifndef JRPC_FUZZ_MUTATOR_TABLES_H
#define JRPC_FUZZ_MUTATOR_TABLES_H

#include "harness/generate/vocabulary.h"

extern const jck_vocabulary mutator_tables;

#endif
