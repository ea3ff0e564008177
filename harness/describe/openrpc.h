// A service description in OpenRPC: its mistakes, and the cases that follow from it.
#ifndef JCK_DESCRIBE_OPENRPC_H
#define JCK_DESCRIBE_OPENRPC_H

#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Whether a value is meant to be an OpenRPC document, even a faulty one: an Object with `openrpc`
// and an Array of `methods`. False with INVALID and what is missing.
bool jck_openrpc_is(jrpc_json root, jrpc_error *error);

// The first mistake in one aspect of the document: a sentence that names the place, in the arena.
// NULL if there is none, or `part` is not in jck_openrpc_parts.
const char *jck_openrpc_flaw(jrpc_json root, jrpc_slice part, jrpc_arena *arena);
// "form", "names", "references", "schemas", "order", "examples"; NULL-terminated.
const char *const *jck_openrpc_parts(void);

// How a case passes the params of an example.
typedef enum jck_openrpc_shape {
    JCK_OPENRPC_BY_POSITION,
    JCK_OPENRPC_BY_NAME,
    // By name; the method's description does not say how params are passed.
    JCK_OPENRPC_BY_NAME_UNSAID,
} jck_openrpc_shape;

// Takes the text of a case that sends an example of the description and expects what it says;
// borrowed until the call returns. False ends the walk.
typedef bool (*jck_openrpc_take)(void *context, jrpc_slice text);
// Makes a case of every example of every method, for each way of passing params that the method
// allows. Incomplete examples that cannot be sent are left out. False if `take` returned false or
// if out of memory.
bool jck_openrpc_each_case(jrpc_json root, jrpc_arena *arena, jck_openrpc_take take, void *context);

#endif
