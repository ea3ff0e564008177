// Values whose numbers are converted to doubles, as most clients do.
#ifndef JCK_JUDGE_DOUBLES_H
#define JCK_JUDGE_DOUBLES_H

#include "harness/judge/trial.h"

// The value with each number that has a fraction or an exponent spelled as its double: 0.1 and
// 0.10000000000000001 become the same. Integers stay exact, and so do numbers beyond the range of a
// double. Lives as long as the trial; ABSENT if out of memory.
jrpc_json jck_in_doubles(jck_trial *trial, jrpc_json value);
// Whether two values are equal, either exactly or as doubles.
bool jck_equal_in_doubles(jck_trial *trial, jrpc_json a, jrpc_json b);
// Whether two values are equal if integers become doubles too, and a number beyond the range of a
// double becomes null, as JavaScript writes it: whether rounding explains their difference.
bool jck_equal_when_rounded(jck_trial *trial, jrpc_json a, jrpc_json b);

#endif
