// Private to the session: one step of a case.
#ifndef JCK_SESSION_STEP_H
#define JCK_SESSION_STEP_H

#include "harness/session/exec.h"

// Executes a step whose connection is open and whose payload, if it sends one, is in
// session->payload. `last`: it is the last step.
void jck_step_run(jck_exec *exec, const jck_step *step, bool last);

#endif
