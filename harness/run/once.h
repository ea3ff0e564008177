// Whether the target can run twice at a time. Some servers hold a lock, a port or a file, so that a
// second process exits or waits. Then a single worker runs the cases.
#ifndef JCK_RUN_ONCE_H
#define JCK_RUN_ONCE_H

#include "harness/run/worker.h"

// To be called before further workers begin. `tries`: they start processes. The process of `first`
// is made to run, because the experiment is to start another one beside it.
void jck_once_begin(jck_worker *first, bool tries);
// The same for a further worker. False if it has to leave without a process: the first one to call
// this tries whether its process can be opened, and the others wait for the result.
bool jck_once_enter(jck_worker *worker);
// To be called when a worker no longer has a process.
void jck_once_leave(jck_worker *worker);
// Waits while the experiment goes on: for `first`, whose process has to run meanwhile. `begins`:
// another worker is about to begin it.
void jck_once_await(jck_worker *first, bool begins);
// To be called when a target that was open before cannot be opened again. If other workers have
// processes, waits until they have left, and returns true: it may be possible now. *error says why
// it was not.
bool jck_once_retries(jck_worker *worker, const jrpc_error *error);
// Whether a further worker has to leave before its next case.
bool jck_once_gives_way(jck_worker *worker);
// Whether the target was found not to run twice at a time.
bool jck_once_is_found(jck_ledger *ledger);

#endif
