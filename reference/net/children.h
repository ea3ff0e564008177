// Which children are ours: the pids that this process started and has not reaped, and, in a program
// that said so (jrpc_process_own_descendants), the orphans that they leave behind.
//
// Such a program is the reaper of its descendants, so a grandchild that went into a session of its
// own comes back to it when its parent dies, and can be ended. In all other programs nothing is
// ended but what was started here.
#ifndef JRPC_NET_CHILDREN_H
#define JRPC_NET_CHILDREN_H

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

// posix_spawnp with registration. 0, or an errno value (ENOMEM when the register cannot grow).
int jrpc_children_spawn(pid_t *ret_pid, const char *program,
                        const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const *argv,
                        char *const *environment);
// Reaps a child that has ended (or will at once) and takes it off the register. When it was the
// last one of a program that owns its descendants, the orphans are killed and reaped. While others
// still run the orphans stay: whose they are cannot be known.
void jrpc_children_reap(pid_t pid);

#endif
