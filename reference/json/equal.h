// Exact equality of JSON values: numbers by decimal value, strings by content, objects as sets.
#ifndef JRPC_JSON_EQUAL_H
#define JRPC_JSON_EQUAL_H

#include "reference/json/value.h"

// Whether two values are the same JSON value. Numbers are compared as exact decimals (1 = 1.0 =
// 1e0, 0 = -0, 9007199254740993 is not 9007199254740992, exponents of any size); strings by their
// content after unescaping; arrays in order; objects by their names, of duplicate names the last
// counts, in any order. Two absent values are equal; an absent value equals nothing else. No
// recursion, no allocation. Cost: linear where member order agrees, at worst members squared.
bool jrpc_json_equal(jrpc_json a, jrpc_json b);
// Compares two number spellings (valid JSON numbers) as exact decimals: negative, 0 or positive.
int jrpc_json_number_compare(jrpc_slice a, jrpc_slice b);

#endif
