// A child process with real pipes, in a process group of its own, ended with patience.
//
// Its stderr (and, when stdout is not wanted, stdout) is drained by a thread of its own, so that a
// child that writes without end never blocks; the last bytes are kept as evidence.
#ifndef JRPC_NET_PROCESS_H
#define JRPC_NET_PROCESS_H

#include "reference/base/allocator.h"
#include "reference/base/buffer.h"
#include "reference/base/clock.h"
#include "reference/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jrpc_process jrpc_process;

typedef struct jrpc_process_options {
    char *const *argv;              // program (searched in PATH) and arguments, NULL-terminated
    const char *directory;          // working directory, NULL: ours
    const char *const *environment; // "NAME=value" added to ours, NULL-terminated; may be NULL
    uint64_t memory; // bytes of data that the child may have, from its start on; 0: no limit
    bool talk;       // stdin and stdout are pipes to us; else /dev/null and drained
} jrpc_process_options;

typedef enum jrpc_process_state {
    JRPC_PROCESS_RUNNING,
    JRPC_PROCESS_EXITED,   // status
    JRPC_PROCESS_SIGNALED, // signal
} jrpc_process_state;

// Starts a child. SIGPIPE, where its action is still the default, is ignored from then on in this
// process (the child gets the default back). NULL with SYSTEM (the program does not exist, is not
// executable, …: the message names it and the remedy). Owned: end it with jrpc_process_free.
jrpc_process *jrpc_process_start(const jrpc_process_options *options, jrpc_error *error);
// Non-blocking descriptors of a talking child; -1 once closed.
int jrpc_process_stdin(const jrpc_process *process);
int jrpc_process_stdout(const jrpc_process *process);
// For poll: becomes readable (and stays so) when the child has ended. Never read from it.
int jrpc_process_ended(const jrpc_process *process);
void jrpc_process_close_stdin(jrpc_process *process);
int64_t jrpc_process_pid(const jrpc_process *process);
// The state, waiting until the deadline for an end. *ret_value is the exit status or the signal.
jrpc_process_state jrpc_process_wait(jrpc_process *process, const jrpc_clock *clock,
                                     int64_t deadline_us, int *ret_value);
// Copies the end of stderr (and drained stdout), at most JRPC_LIMIT_STDERR_TAIL_BYTES.
void jrpc_process_stderr_tail(jrpc_process *process, jrpc_buffer *out);
// Waits until a line containing `text` was seen on stderr or drained stdout. False on TIMEOUT,
// CLOSED or INTERRUPTED (`interrupt_fd`, -1 for none, became readable).
bool jrpc_process_wait_output(jrpc_process *process, jrpc_slice text, const jrpc_clock *clock,
                              int64_t deadline_us, int interrupt_fd, jrpc_error *error);
// Ends the child: closes its stdin, waits `grace_ms` if we talk to it, TERM to its group, waits as
// long, KILL to its group, reaps, joins the drain. Accepts NULL.
void jrpc_process_free(jrpc_process *process, int64_t grace_ms);

// Makes all that this process starts from now on, and all that those leave behind, its own: orphans
// in sessions of their own come back to it and are killed when its last child is freed. For a
// program, never for a library inside another one; to be called before the first thread and child.
// Children that were there before are never touched. Where the system cannot, nothing changes. All
// that was started here is also killed when this process is killed by a signal that cannot be
// caught (see guardian.h).
void jrpc_process_own_descendants(void);
// Kills every child and its group, but those that were there before jrpc_process_own_descendants
// (without that call: kills nothing). For a program that is about to end.
void jrpc_process_kill_descendants(void);

#endif
