// Makes values that fit a JSON Schema, or nearly do.
//
// It follows the keywords that say how to make a value, and one of the alternatives of anyOf, oneOf
// and allOf. Keywords that only say whether a value fits (pattern, not) are ignored: harness/schema
// is the validator.
#ifndef JCK_GENERATE_FITTING_H
#define JCK_GENERATE_FITTING_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/json/value.h"

#include <stdbool.h>

// Appends a value to `out` (its `failed` says whether there was room). References ("$ref") are
// looked up in `root`. `near`: one place is slightly wrong: a bound exceeded, a required member
// left out, a String instead of a Number. Containers are nested at most `depth` deep.
void jck_value_fitting(jrpc_json schema, jrpc_json root, bool near, unsigned depth,
                       jrpc_random *random, jrpc_buffer *out);
// Appends params for a method of a description: `params` is its Array of content descriptors
// (OpenRPC). Every other time something is slightly wrong.
void jck_params_fitting(jrpc_json params, jrpc_json root, bool by_name, jrpc_random *random,
                        jrpc_buffer *out);

#endif
