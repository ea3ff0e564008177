// The result that is due for a call of a method whose contract is known
// (docs/describing-a-target.md).
#ifndef JCK_LIVE_RESULT_H
#define JCK_LIVE_RESULT_H

#include "harness/live/due.h"

// Appends the result of a KNOWN call as JSON. False, with nothing appended, where its params do not
// fit, or hold what readers of JSON may differ about, or the method has no such contract.
bool jck_result_write(const jck_due *due, jrpc_buffer *out);

#endif
