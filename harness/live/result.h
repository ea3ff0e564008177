// The result that is due for a call of a method whose contract is known
// (docs/describing-a-target.md).
#ifndef JCK_LIVE_RESULT_H
#define JCK_LIVE_RESULT_H

#include "harness/live/due.h"

// Appends the result of a KNOWN call as JSON. False, with nothing appended, if its params do not
// fit or contain something that JSON readers may read differently, or the method has no such
// contract.
bool jck_result_write(const jck_due *due, jrpc_buffer *out);

// The same for the method that a call with a name near it must not run (due->mapping). False if
// there is none, or its result is not known.
bool jck_result_of_near(const jck_due *due, jrpc_buffer *out);

#endif
