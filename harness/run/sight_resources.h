// Sees which resources of RO-JRPC a target has although no option names them.
#ifndef JCK_RUN_SIGHT_RESOURCES_H
#define JCK_RUN_SIGHT_RESOURCES_H

#include "harness/link/link.h"

// Asks rpc.describe on connection 'a', and notes for each resource of the fixture that is named in
// the result and not mapped that it is there and how to have it judged. It is not mapped: what it
// does cannot be seen without side effects. The README of RO-JRPC gives the result no shape, so
// every usual one is read: an Object by name, an Array of names or of Objects with a name, and
// "a.b", "a/b" or members `subresources` for a resource within another.
void jck_sight_resources(jck_link *link);

// Whether a result of rpc.describe names a resource ("user") or one within another ("repo/issue").
bool jck_describes_resource(jrpc_json described, jrpc_slice resource);

#endif
