// The calls that POSIX.1-2008 lacks, each with a portable contract; os_linux.c is the one file that
// asks for GNU interfaces.
#ifndef JRPC_BASE_OS_LINUX_H
#define JRPC_BASE_OS_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sockaddr;

// A pipe whose ends are close-on-exec from birth. False with errno.
bool jrpc_os_pipe(int ret_ends[2]);
// accept4 with close-on-exec; -1 with errno.
int jrpc_os_accept(int listener);
// socket with close-on-exec; -1 with errno.
int jrpc_os_socket(int family, int type, int protocol);
// Claims a name for this process, system-wide: until the descriptor is closed, nobody else can
// claim it. -1 with errno (EADDRINUSE: somebody has it), also where the system cannot.
int jrpc_os_claim(const char *name);
// Makes this process the reaper of orphaned descendants, so that a grandchild in a session of its
// own can be found and ended. False where the system cannot.
bool jrpc_os_become_subreaper(void);
// Calls `visit` with the pid of every direct child of this process; false if that cannot be known.
bool jrpc_os_each_child(void (*visit)(void *context, pid_t pid), void *context);
// The peak resident memory of this process in bytes, 0 if unknown.
uint64_t jrpc_os_peak_memory(void);
// What a process and the others of its group have used and are doing, as far as that can be known.
typedef struct jrpc_os_work {
    int64_t cpu_us; // processor time, in steps of the system's clock tick
    bool ready;     // a thread runs, or waits for a processor or a disk
} jrpc_os_work;
// False where the system cannot say.
bool jrpc_os_work_of_group(pid_t group, jrpc_os_work *ret_work);
// How many threads of the system run or wait for a processor, without the calling one: now, or on
// average in the last minute if that is more; and how many processors there are. False where the
// system cannot say.
bool jrpc_os_ready_threads(unsigned *ret_ready, unsigned *ret_processors);
// The processor time that the processes of a group have used, in microseconds. It includes children
// that have ended and were waited for, and processes that have ended but were not yet waited for.
// -1 if unknown.
int64_t jrpc_os_cpu_of_group(pid_t group);
// From now on the peak of a process of ours counts from what it has resident now. False where the
// system cannot.
bool jrpc_os_forget_peak(pid_t pid);
// What a process has resident, and the most that it had since then, in bytes. False if unknown.
bool jrpc_os_memory_of(pid_t pid, uint64_t *ret_resident, uint64_t *ret_peak);
// The name of the program that a process runs, cut at 15 bytes, into `out`. False if unknown.
bool jrpc_os_process_name(pid_t pid, char *out, size_t out_size);
// The absolute path of the running program into `out`; false if unknown or too long.
bool jrpc_os_program_path(char *out, size_t out_size);
// Bytes written to a connected socket that the other side's kernel has not acknowledged; 0 if
// unknown.
size_t jrpc_os_unacknowledged(int socket);
// A set of descriptors to wait for: poll finds the returned descriptor readable while one of them
// is ready. -1 with errno; close it as usual.
int jrpc_os_watch_new(void);
// Waits for a descriptor of the set from now on, to read and to write as said, or no longer if
// neither. False with errno.
bool jrpc_os_watch(int watch, int descriptor, bool reading, bool writing, void *context);
// The contexts of descriptors that are ready now, at most `room` of them, and how many there are.
size_t jrpc_os_watch_ready(int watch, void **ret_contexts, size_t room);

// Bounds the private memory that another process of ours can write to, in bytes.
void jrpc_os_limit_memory(pid_t pid, uint64_t bytes);
// Makes sure that descriptors 0, 1 and 2 are open, on /dev/null where they were not, so that
// nothing that is opened later stands in their place. Call first in main. False with errno.
bool jrpc_os_open_standard(void);
// Opens a new file for writing that has no name yet: it vanishes with its last descriptor. -1 with
// errno, also where the file system cannot.
int jrpc_os_open_unnamed(const char *folder);
// Gives such a file a name, which must not exist. False with errno.
bool jrpc_os_name_file(int descriptor, const char *path);

// Memory that processes can share which know its number, of zeros; NULL with errno. It vanishes
// with the last process that has it.
void *jrpc_os_share_memory(size_t size, int *ret_number);
void jrpc_os_unshare_memory(void *memory); // accepts NULL

// Acknowledges at once what a TCP socket received and receives next: a server that writes the head
// and the body of an answer apart waits for that, 40 ms each time. It lasts until we send again.
void jrpc_os_acknowledge_at_once(int socket);

#include <spawn.h>
// Adds "change to this directory" to the actions of posix_spawn; 0 or an errno value.
int jrpc_os_spawn_chdir(posix_spawn_file_actions_t *actions, const char *directory);

#endif
