// What is sent to a target on every connection before the first case, and after the last one.
#ifndef JCK_LINK_PRELUDE_H
#define JCK_LINK_PRELUDE_H

#include "harness/link/link.h"

// Runs step `index` of a prelude or postlude: sends, and waits for one Response if the step expects
// one; the link keeps what it captures. UNOPENED with CLOSED (it could not be sent), INVALID (a
// result was expected and an error came) or TIMEOUT in *error.
jck_link_status jck_prelude_step(jck_link *link, char connection, const jck_step *step, int index,
                                 int64_t deadline_us, jrpc_error *error);

// Whether a step of a prelude or postlude applies to the target: a step that names an HTTP method
// applies only over HTTP.
bool jck_prelude_applies(const jck_target *target, const jck_step *step);

// Runs the postlude of the target on connection 'a', if that is open. Its answers are waited for
// only briefly and are not judged.
void jck_link_farewell(jck_link *link);

#endif
