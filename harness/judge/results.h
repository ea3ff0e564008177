// Asynchronous results of RO-JRPC: what applies to each of them in any case, and which of them
// belong together. Private to the judge.
#ifndef JCK_JUDGE_RESULTS_H
#define JCK_JUDGE_RESULTS_H

#include "harness/judge/trial.h"

// Judges all result messages that came during a case of an RO-JRPC suite, in order and on any
// connection: the form of each (RO-19b), its status (RO-19c, RO-19i), the request that it names
// (RO-19e), and that nothing comes after a final one (RO-19d). Results belong together if their
// `request_id` is the same, whatever their resource (RO-19f), or, if they have none, if resource
// and target are the same. Results for an earlier execution are ignored. Observes which connection
// results come on (RO-19j).
void jck_judge_results(jck_trial *trial);
// Whether a message that the server sent unasked was meant as a result: by its verb, or by its
// method if it has no verb. False if the case is not judged by rules about results.
bool jck_is_result(const jck_trial *trial, jrpc_json value);

#endif
