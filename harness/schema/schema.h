// Whether a value can be a JSON Schema: what its keywords hold, all the way down.
#ifndef JCK_SCHEMA_SCHEMA_H
#define JCK_SCHEMA_SCHEMA_H

#include "reference/base/arena.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Checks the keywords of the drafts from 6 to 2020-12: a value is right if one of these drafts
// allows it. Unknown keywords, `const` and `default` may have any value, `enum` and `examples` any
// elements.
// `$ref` is not followed. `arena` is for strings whose escapes are resolved.
bool jck_is_json_schema(jrpc_json value, jrpc_arena *arena);

#endif
