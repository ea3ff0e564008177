// What ends our children when we are killed: a process of its own that is told who they are, and
// that notices our end because the pipe to it closes with us.
//
// SIGKILL cannot be caught, so nothing in the program itself can do that. Linux could be asked to
// send the children a signal (PR_SET_PDEATHSIG), but does so when the thread ends that started
// them, and posix_spawn cannot ask for it; this way is POSIX alone. A grandchild in a session of
// its own outlives us all the same.
#ifndef JRPC_NET_GUARDIAN_H
#define JRPC_NET_GUARDIAN_H

#include <sys/types.h>

// Starts the guardian of this process: before the first thread and the first child. It is no child
// of ours, and ends with us. Returns where it is told of children; -1: there is none.
int jrpc_guardian_start(void);
// Tells the guardian that a child, with a group of its own, was started; or, before it is reaped,
// that it is over. `guardian` may be -1.
void jrpc_guardian_watch(int guardian, pid_t child);
void jrpc_guardian_forget(int guardian, pid_t child);

#endif
