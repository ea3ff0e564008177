// The description of a router by resource and verb (RO-JRPC 1.0, section 11), from the list of its
// routes.
#ifndef JRPC_FUZZ_MODEL_DESCRIBED_H
#define JRPC_FUZZ_MODEL_DESCRIBED_H

#include "reference/base/buffer.h"
#include "reference/rpc/router.h"

// Appends the result of rpc.describe: the resources in the order of registration.
void described_put(jrpc_buffer *out, const jrpc_route *routes, size_t count);

#endif
