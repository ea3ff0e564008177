// RO-JRPC 1.0 by lists: the second opinion on the structured members of a message.
#ifndef JRPC_FUZZ_MODEL_ROUTE_H
#define JRPC_FUZZ_MODEL_ROUTE_H

#include "fuzz/model/tree.h"
#include "reference/rpc/resource.h"

// What is wrong about the structured members of a message, an Object with a String as its method.
// `result_message`: the reserved verbs are allowed.
jrpc_resource_reason route_reason(tree_pool *pool, const tree *message, bool result_message);

// The names of a message joined by dots; an empty slice where a name is missing or no String.
jrpc_slice route_name(tree_pool *pool, const tree *message);

// Whether a name may stand in a request that is built: `what` is resource, subresource or verb.
bool route_name_is_good(const char *what, jrpc_slice name);

#endif
