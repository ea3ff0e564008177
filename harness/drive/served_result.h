// The results for the calls of a client that runs by itself.
#ifndef JCK_DRIVE_SERVED_RESULT_H
#define JCK_DRIVE_SERVED_RESULT_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

// Appends the result for a call, as JSON: the one that `answers` (METHOD=JSON, NULL-terminated, or
// NULL) gives for its method; else that of the specification's examples for subtract, sum and
// get_data; else the params, or null if there are none. False if the buffer is full.
bool jck_served_result(const char *const *answers, jrpc_json request, jrpc_buffer *out);

#endif
