// Whether a value fits a JSON Schema (draft 7, or 2020-12).
#ifndef JCK_SCHEMA_FIT_H
#define JCK_SCHEMA_FIT_H

#include "reference/base/arena.h"
#include "reference/json/value.h"

typedef enum jck_fit {
    JCK_FIT_NO,
    JCK_FIT_UNSURE, // a reference that leads out of the document, a pattern that is not understood
    JCK_FIT_YES,
} jck_fit;

// Why a value does not fit: the keyword that refuses it, and where in the value.
typedef struct jck_misfit {
    jrpc_json value;   // the part that is refused; ABSENT: none is
    const char *where; // a JSON Pointer to it, "" for the whole; in the arena
    jrpc_slice keyword;
    jrpc_json argument; // of the keyword
} jck_misfit;

// Every keyword of validation of draft 7; `format` and the like say nothing of validity. Numbers
// count by their decimal value. `$ref` is followed to pointers within `root` ("#/definitions/x"),
// the document in which `schema` stands. The work is bounded: what would take too long is UNSURE.
// `arena` is for strings whose escapes are resolved, and for *ret_misfit (may be NULL).
jck_fit jck_schema_fit(jrpc_json schema, jrpc_json root, jrpc_json value, jrpc_arena *arena,
                       jck_misfit *ret_misfit);

// The same for a schema that is a document of its own, in the dialect that its `$schema` names:
// 2020-12 if it names none, drafts 6 and 7; in any other, everything is UNSURE.
jck_fit jck_schema_fit_document(jrpc_json document, jrpc_json value, jrpc_arena *arena,
                                jck_misfit *ret_misfit);

#endif
