// Params for targets that leave calls without params unanswered.
//
// `params` MAY be omitted (JSON-RPC 2.0, section 4), and most cases leave it out. A target that
// drops such calls gets that finding once, from the ground case of that rule. In the other cases an
// empty Array is added to the calls, so that they still test what they are meant to test.
#ifndef JCK_SESSION_PARAMS_H
#define JCK_SESSION_PARAMS_H

#include "reference/base/buffer.h"

#include <stdbool.h>

// Adds "params":[] at the end of every Object, the message itself or an element of a batch, that
// has `method` but none of `params`, `result` and `error`. Text that is not JSON, or deeper than a
// message may be, stays as it is. False if memory is out or the payload would exceed its maximum.
bool jck_params_complete(jrpc_buffer *payload);

#endif
