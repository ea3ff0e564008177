// A service description in OpenRPC: what is wrong with it, and what it says of its methods.
#ifndef JCK_DESCRIBE_OPENRPC_H
#define JCK_DESCRIBE_OPENRPC_H

#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Whether a value is meant as an OpenRPC document, even a faulty one: an Object with `openrpc` and
// an Array of `methods`. False with INVALID, and what it lacks.
bool jck_openrpc_is(jrpc_json root, jrpc_error *error);

// The first thing that is wrong in one aspect of the document: a sentence that names the place, in
// the arena. NULL if nothing is wrong, or `part` is none of jck_openrpc_parts.
const char *jck_openrpc_flaw(jrpc_json root, jrpc_slice part, jrpc_arena *arena);
// "form", "names", "references", "schemas", "order", "examples"; NULL-terminated.
const char *const *jck_openrpc_parts(void);

// How a case passes the params that an example of a method gives.
typedef enum jck_openrpc_shape {
    JCK_OPENRPC_BY_POSITION,
    JCK_OPENRPC_BY_NAME,
    // By name, of a method whose description does not say how params are passed.
    JCK_OPENRPC_BY_NAME_UNSAID,
} jck_openrpc_shape;

// The text of a case that sends an example of the description and expects what it says; borrowed
// until the call returns. False ends the walk.
typedef bool (*jck_openrpc_take)(void *context, jrpc_slice text);
// Makes a case of every example of every method, in each structure of params that the method takes.
// An example that lacks something needed to send it is left out. False if `take` said so, or memory
// is out.
bool jck_openrpc_each_case(jrpc_json root, jrpc_arena *arena, jck_openrpc_take take, void *context);

#endif
