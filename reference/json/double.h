// Numbers as doubles, to find out what other programs make of them. Our own code does not calculate
// with doubles.
#ifndef JRPC_JSON_DOUBLE_H
#define JRPC_JSON_DOUBLE_H

#include "reference/base/slice.h"

#define JRPC_JSON_DOUBLE_SPELLING_MAX 400 // bytes

// The double nearest to a number, given its spelling in JSON: infinite if it is out of range, NAN
// if the spelling has more than JRPC_JSON_DOUBLE_SPELLING_MAX bytes.
double jrpc_json_double(jrpc_slice spelling);

#endif
