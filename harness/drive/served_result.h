// What the calls of a client that runs by itself get as results.
#ifndef JCK_DRIVE_SERVED_RESULT_H
#define JCK_DRIVE_SERVED_RESULT_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

// Appends the result that a call gets, as JSON: what `answers` (METHOD=JSON, NULL-terminated, or
// NULL) says of its method; else what the specification prints for subtract, sum and get_data; else
// the params, or null where there are none. False when the buffer is full.
bool jck_served_result(const char *const *answers, jrpc_json request, jrpc_buffer *out);

#endif
