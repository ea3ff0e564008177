// Params for targets that answer no call without them.
//
// `params` MAY be omitted (JSON-RPC 2.0, section 4), and most cases leave it out. A target that
// drops such calls gets that finding once, by the ground case of that rule; in the other cases an
// empty Array is written into the calls, so that they are about what they are about on that target
// too.
#ifndef JCK_SESSION_PARAMS_H
#define JCK_SESSION_PARAMS_H

#include "reference/base/buffer.h"

#include <stdbool.h>

// Replaces the text in `payload` by one in which every Object that has `method`, but neither
// `params` nor `result` nor `error`, ends in "params":[]: the text itself, or elements of a batch.
// Text that is not JSON, or deeper than a message may be, stays as it is. False when memory is out
// or the payload would become longer than its maximum.
bool jck_params_complete(jrpc_buffer *payload);

#endif
