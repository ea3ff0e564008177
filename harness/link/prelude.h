// What is sent to a target on every connection before the first case, and after the last one.
#ifndef JCK_LINK_PRELUDE_H
#define JCK_LINK_PRELUDE_H

#include "harness/link/link.h"

// Runs step `index` of a prelude or postlude: sends, and waits for one Response if the step expects
// one; what it captures is kept by the link. UNOPENED with CLOSED (it could not be sent), INVALID
// (a result was expected and an error came) or TIMEOUT in *error.
jck_link_status jck_prelude_step(jck_link *link, char connection, const jck_step *step, int index,
                                 int64_t deadline_us, jrpc_error *error);

// Whether a step of a prelude or postlude is for the target: one that names a method of HTTP is for
// targets over HTTP.
bool jck_prelude_applies(const jck_target *target, const jck_step *step);

// Runs the postlude of the target on connection 'a', where that is open. What the target answers is
// not judged, and is waited for only briefly.
void jck_link_farewell(jck_link *link);

#endif
