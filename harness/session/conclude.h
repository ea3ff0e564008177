// Private to the session: the end of an execution.
#ifndef JCK_SESSION_CONCLUDE_H
#define JCK_SESSION_CONCLUDE_H

#include "harness/session/exec.h"

// After the last step: records how the execution ended, why a connection went mute and the end of
// stderr, and closes connections that cannot be used again. Returns the status of the execution.
jck_session_status jck_exec_conclude(jck_exec *exec);

#endif
