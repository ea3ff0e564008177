// References within a document, as `$ref` of JSON Schema and of OpenRPC spells them.
#ifndef JCK_SCHEMA_REFERENCE_H
#define JCK_SCHEMA_REFERENCE_H

#include "reference/base/arena.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Whether it is "#" or "#/…", which lead to a place in the same document.
bool jck_reference_is_within(jrpc_slice reference);
// What "#" or "#/…" leads to in `base`, with its percent escapes resolved; ABSENT if it leads
// nowhere, or is another kind of reference.
jrpc_json jck_reference_find(jrpc_json base, jrpc_slice reference, jrpc_arena *arena);
// The value itself, or what it refers to if it is an Object with `$ref`; references to references
// are followed. ABSENT if they lead nowhere in `root`, or in a cycle.
jrpc_json jck_reference_resolve(jrpc_json root, jrpc_json value, jrpc_arena *arena);

#endif
