// Private to the session: listening for a step, until something came, a time is over, or it is
// proved that all is said.
#ifndef JCK_SESSION_COLLECT_H
#define JCK_SESSION_COLLECT_H

#include "harness/session/exec.h"

// Whether it is certain that the target answers a long message before what follows it.
bool jck_answers_in_order(const jck_habits *habits);
// How long it is given where it is not, beyond the time of an answer.
int64_t jck_overtaken_us(const jck_habits *habits, size_t bytes);
// Collects until `count` messages of the case have come, or `within_ms` have passed; false if they
// have not all come.
bool jck_collect(jck_exec *exec, char connection, size_t count, int64_t within_ms);
// Collects what is there already, or comes within the window, whatever it is.
void jck_collect_for(jck_exec *exec, char connection, int64_t window_ms);
// The same for a quiet window.
void jck_collect_quiet(jck_exec *exec, char connection);
// Collects until it is proved that all is said, then, if `missing` messages have still not come
// where a fence proved it, for a quiet window more. Whether it was proved and all of them came.
bool jck_collect_all(jck_exec *exec, char connection, size_t missing);

// Collects until every pattern of a RECEIVE step has been met as often as it must be at least, or
// `within_ms` have passed; false if they have not all been. Messages that no pattern names are
// written down and waited past.
bool jck_await(jck_exec *exec, const jck_step *step, int64_t within_ms);

#endif
