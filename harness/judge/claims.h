// Private to the judge: what bytes that are not JSON may have been meant as.
#ifndef JCK_JUDGE_CLAIMS_H
#define JCK_JUDGE_CLAIMS_H

#include "reference/base/slice.h"

#include <stdbool.h>

// Whether text that is not JSON was meant as a Response: it begins like an Object or an Array,
// possibly after a byte-order mark.
bool jck_claims_to_be_json(jrpc_slice text);
// Whether there is nothing but white space.
bool jck_is_blank(jrpc_slice text);

#endif
