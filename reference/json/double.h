// Numbers as doubles, for those who ask what another program makes of them: nothing of ours
// calculates with doubles.
#ifndef JRPC_JSON_DOUBLE_H
#define JRPC_JSON_DOUBLE_H

#include "reference/base/slice.h"

#define JRPC_JSON_DOUBLE_SPELLING_MAX 400 // bytes

// The double that is nearest to a number, from its spelling in JSON: infinite beyond the range, and
// NAN where the spelling has more bytes than JRPC_JSON_DOUBLE_SPELLING_MAX.
double jrpc_json_double(jrpc_slice spelling);

#endif
