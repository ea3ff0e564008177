// Private to the runner: the executions of a worker that are not reported yet.
// A stray message may belong to a case that was run shortly before. So the last JCK_RECENT_MAX
// executions are held until later ones have shown that nothing came late. Those that were owed no
// answer and got none are held longer, up to JCK_SILENT_MAX of them.
#ifndef JCK_RUN_HELD_H
#define JCK_RUN_HELD_H

#include "harness/run/worker.h"

#define JCK_RECENT_MAX 2
#define JCK_SILENT_MAX 256

void jck_held_add(jck_worker *worker, jck_execution *execution); // takes the execution
size_t jck_held_count(const jck_worker *worker);
jck_execution *jck_held_last(const jck_worker *worker); // NULL: none is held
// The last execution of a case that is held; NULL if there is none.
jck_execution *jck_held_of(const jck_worker *worker, const jck_case *test_case);
// The execution whose id is in a message, and the step that sent that id; NULL if it is not held.
// `attempt` is the one that received the message.
jck_execution *jck_held_owner(const jck_worker *worker, const jck_attempt *attempt,
                              jrpc_slice bytes, int *ret_step);
// Notes that something came on a connection that may belong to any execution pending there.
void jck_held_doubt(jck_worker *worker, uint64_t number);
// Reports all held executions except the last `recent`, those that may still be answered, and those
// that are pending.
void jck_held_report(jck_worker *worker, size_t recent);
// Ends the wait of pending executions: their verdicts become final or, if the run `ends`, they get
// none and are dropped.
void jck_held_settle(jck_worker *worker, bool ends);

#endif
