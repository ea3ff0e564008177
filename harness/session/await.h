// Private to the session: waiting for asynchronous results, which other messages come between.
#ifndef JCK_SESSION_AWAIT_H
#define JCK_SESSION_AWAIT_H

#include "harness/session/collect.h"

// Collects until every pattern of a RECEIVE step has been met as often as it must be at least, or
// `within_ms` have passed; false if they have not all been. Messages that no pattern names are
// written down and waited past.
bool jck_await(jck_exec *exec, const jck_step *step, int64_t within_ms);

#endif
