// Private to the session: the end of an execution.
#ifndef JCK_SESSION_CONCLUDE_H
#define JCK_SESSION_CONCLUDE_H

#include "harness/session/exec.h"

// After the last step: writes down how it ended, why it went mute and the end of stderr,
// and closes what cannot be used again. Returns what became of the execution.
jck_session_status jck_exec_conclude(jck_exec *exec);

#endif
