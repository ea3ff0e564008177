// Asynchronous results of RO-JRPC: what holds for every one of them, whatever the case, and how
// they belong together. Private to the judge.
#ifndef JCK_JUDGE_RESULTS_H
#define JCK_JUDGE_RESULTS_H

#include "harness/judge/trial.h"

// Judges all result messages that came during a case of an RO-JRPC suite, in the order in which
// they came and on whatever connection: the form of each (RO-19b), its status (RO-19c, RO-19i), the
// request it names (RO-19e), and that nothing comes after a final one (RO-19d). Results belong
// together when their `request_id` is the same, whatever their resource (RO-19f); where they have
// none, when resource and target are the same. Those of an earlier execution are left alone.
// Observes which connection results come on (RO-19j).
void jck_judge_results(jck_trial *trial);
// Whether a message of the server's own was meant as a result: by its verb, or by its method where
// the verb was forgotten. False where the case is not judged by rules about results.
bool jck_is_result(const jck_trial *trial, jrpc_json value);

#endif
