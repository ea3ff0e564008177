// What the files that fit a value into a schema share. Private to the schema room.
#ifndef JCK_SCHEMA_FIT_PRIVATE_H
#define JCK_SCHEMA_FIT_PRIVATE_H

#include "harness/schema/fit.h"
#include "harness/schema/reference.h"

#include <stdbool.h>
#include <stddef.h>

// Where in the value something is looked at: a list from the last segment to the first.
typedef struct jck_place {
    const struct jck_place *above;
    jrpc_slice key; // of a member; {NULL, 0}: an element
    unsigned index; // of an element
} jck_place;

typedef struct jck_fitting {
    jrpc_json base; // what "#" leads to
    jrpc_arena *arena;
    unsigned steps_left;
    int depth;
    int quiet; // above 0: within a schema that may refuse the value while the whole accepts it
    const jck_place *place;
    jck_misfit *misfit; // or NULL
} jck_fitting;

typedef struct jck_keyword {
    const char *name;
    jrpc_json_kind kind; // of values that it says something of; NONE: of all
    jck_fit (*fit)(jck_fitting *self, jrpc_json schema, jrpc_json argument, jrpc_json value);
} jck_keyword;

const jck_keyword *jck_keywords(size_t *ret_count);

jck_fit jck_fit_and(jck_fit a, jck_fit b);
jck_fit jck_fit_or(jck_fit a, jck_fit b);
jck_fit jck_fit_not(jck_fit fit);
jck_fit jck_fit_of(bool holds);
// Takes one of the steps that are left; false if none is.
bool jck_fit_step(jck_fitting *self);
jck_fit jck_fit_schema(jck_fitting *self, jrpc_json schema, jrpc_json value);
// The same, but a refusal is not reported.
jck_fit jck_fit_quietly(jck_fitting *self, jrpc_json schema, jrpc_json value);
// The same for a member (`key`) or an element (`index`) of the current value.
jck_fit jck_fit_within(jck_fitting *self, jrpc_json schema, jrpc_json value, jrpc_slice key,
                       unsigned index);

#endif
