// Asynchronous results of RO-JRPC, right and wrong in one thing: what the judge must let pass, and
// what it must notice, whatever the case.
#ifndef JRPC_FUZZ_SESSION_RESULTS_H
#define JRPC_FUZZ_SESSION_RESULTS_H

#include "fuzz/session/exchange.h"

// Plays results to the first call with an id among what a begun session sends: `choice` says which,
// on which connection and what is wrong. *ret_rule is the rule that they break, NULL if they are
// all right. False if the case is of another suite, calls nothing, or asks for
// other results than the right ones that are played.
bool results_play(exchange *e, unsigned choice, const char **ret_rule);

// Whether a rule is one on the results themselves.
bool results_is_rule(jrpc_slice rule);

#endif
