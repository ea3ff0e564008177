// Whether a value can be a JSON Schema: what its keywords hold, all the way down.
#ifndef JCK_SCHEMA_SCHEMA_H
#define JCK_SCHEMA_SCHEMA_H

#include "reference/base/arena.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Checks the keywords that every draft from 6 to 2020-12 has, and holds each to what all of these
// drafts take it for; keywords that it does not know, and the values of `const`, `enum`, `default`
// and `examples`, may be anything. `$ref` is not followed. `arena` is for what escapes hide.
bool jck_is_json_schema(jrpc_json value, jrpc_arena *arena);

#endif
