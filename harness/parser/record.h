// Records replies as the evidence of a case.
#ifndef JCK_PARSER_RECORD_H
#define JCK_PARSER_RECORD_H

#include "harness/evidence/evidence.h"
#include "harness/parser/judge.h"

// Records the texts and the replies of a case with `steps` steps, on connection 'a'. Everything in
// the evidence lives in `arena` or is borrowed. False if out of memory.
bool jck_parser_record(jrpc_arena *arena, const jck_parser_exchange *exchanges, size_t count,
                       size_t steps, jck_evidence *ret_evidence);
// Adds the reply of another parser to the first text, on a connection of its own.
bool jck_parser_record_other(jck_evidence *evidence, char connection,
                             const jck_parser_exchange *exchange);

#endif
