// Adds members that the params of every request of a protocol carry, such as `_meta` in MCP, to the
// messages of cases, which do not spell them out.
#ifndef JCK_SUITE_AMEND_H
#define JCK_SUITE_AMEND_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

// Rewrites the message in `text` from byte `from` on: if it is a request (it has `method` and `id`)
// with params that are absent or an Object, those of `members` that the params lack are inserted at
// their start; the same for each element of a batch. Anything else, also invalid JSON, stays
// unchanged. `members` may be ABSENT. False if out of memory or if the text exceeds its maximum.
bool jck_amend(jrpc_json members, jrpc_buffer *text, size_t from);

#endif
