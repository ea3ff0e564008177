// Members that the params of every request of a protocol carry, such as the `_meta` of MCP: they
// are written into the messages of cases, which know nothing of them.
#ifndef JCK_SUITE_AMEND_H
#define JCK_SUITE_AMEND_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

// Rewrites the message in `text` from byte `from` on: where it is a request (it has `method` and
// `id`) whose params are left out or an Object, those of `members` that it lacks are put in front
// of its params; so in each element of a batch. What is spelled in no such way, or no JSON, stays.
// `members` may be ABSENT. False when memory is out or the text becomes longer than its maximum.
bool jck_amend(jrpc_json members, jrpc_buffer *text, size_t from);

#endif
