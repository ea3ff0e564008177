// Private to the session: listening for a step, until something comes, a time is over, or it is
// proved that nothing more comes.
#ifndef JCK_SESSION_COLLECT_H
#define JCK_SESSION_COLLECT_H

#include "harness/session/exec.h"

// Whether it is certain that the target answers a long message before what follows it.
bool jck_answers_in_order(const jck_learned *learned);
// If that is not certain: how long to wait for it beyond the time of an answer.
int64_t jck_overtaken_us(const jck_learned *learned, size_t bytes);
// Collects until `count` messages of the case have come, or `within_ms` have passed; false if they
// have not all come.
bool jck_collect(jck_exec *exec, char connection, size_t count, int64_t within_ms);
// Collects whatever has come already or comes within the window.
void jck_collect_for(jck_exec *exec, char connection, int64_t window_ms);
// The same for a quiet window.
void jck_collect_quiet(jck_exec *exec, char connection);
// The same where an answer is missing: not while the target has nothing to do, if the connection is
// listened to afterwards.
void jck_collect_while_busy(jck_exec *exec, char connection);
// Listens for messages that are not owed. If all that is owed `came`, a first look listens only for
// a moment, or as long as the target works.
void jck_collect_surplus(jck_exec *exec, char connection, bool came);
// Collects until it is proved that nothing more comes. If a fence proved it and some of the
// `missing` messages have still not come, collects for a quiet window more. Returns whether it was
// proved and all of them came.
bool jck_collect_all(jck_exec *exec, char connection, size_t missing);

// If the fences were answered but a message that may be answered was not: listens for a quiet
// window, or as long as reading `bytes` may take if that is longer. Does not wait after short
// messages.
void jck_collect_late(jck_exec *exec, char connection, size_t bytes);

// Collects until every pattern of a RECEIVE step has been met at least as often as it must be, or
// `within_ms` have passed; false if some have not. Messages that match no pattern are recorded, and
// the wait goes on.
bool jck_await(jck_exec *exec, const jck_step *step, int64_t within_ms);

#endif
