// Identifies how a target behaved by a number, so that new behaviour is recognized: from the form
// and code of an answer, and its message without numbers and quoted parts.
#ifndef JCK_LIVE_BEHAVIOUR_H
#define JCK_LIVE_BEHAVIOUR_H

#include "reference/json/value.h"

#include <stdint.h>

// Of an answer; `value` is ABSENT if it is not JSON. Never 0.
uint64_t jck_behaviour_of(jrpc_json value);
// For a text such as a line of a log: digits and quoted parts do not count.
uint64_t jck_behaviour_of_text(jrpc_slice text);

#endif
