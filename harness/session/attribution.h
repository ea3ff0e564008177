// Which step of a case a message belongs to that carries no id of ours.
#ifndef JCK_SESSION_ATTRIBUTION_H
#define JCK_SESSION_ATTRIBUTION_H

#include "harness/session/exec.h"

// The step that `value`, heard on `connection`, answers. A concurrent target may refuse a message
// after it has answered those that were sent later, fences among them: an error with id null (or an
// Array of them) belongs to an earlier step where that one sent something that can be refused
// without its id and had no answer, while what was sent last is in order. Else the step at hand.
int jck_exec_step_refused(const jck_exec *exec, char connection, jrpc_json value);

#endif
