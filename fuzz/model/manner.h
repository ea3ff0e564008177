// How servers are spoken to, by the book (cases/README.md, docs/describing-a-target.md): the second
// opinion on the members of a profile about methods, headers and revisions.
#ifndef JRPC_FUZZ_MODEL_MANNER_H
#define JRPC_FUZZ_MODEL_MANNER_H

#include "fuzz/model/tree.h"
#include "harness/suite/target.h"

// `*ret_deep` is set where a value is filled in, about which the model knows nothing.

// "methods": a name or a template for each capability. Both may be NULL, where that is absent.
bool manner_is_methods(const tree *methods, bool *ret_deep);
// "headers": each one line, or a part of each message.
bool manner_is_headers(const tree *headers, bool *ret_deep);
// "framing", which is there: the name of one.
bool manner_is_framing(const tree *framing);

// Whether a good mapping was understood: the method it names, the shapes of params that it serves,
// and whether it wraps the capability (other params go out, or the result lies deeper).
bool manner_agrees(tree_pool *pool, const jck_mapping *mapping, const tree *expected);

#endif
