// How long to wait for the answer of a process: until its time is up and it has either worked for a
// good part of that time or is not working at all. A process that gets no processor time on a busy
// machine has not hung.
#ifndef JCK_PARSER_PATIENCE_H
#define JCK_PARSER_PATIENCE_H

#include "reference/base/os_linux.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jck_patience {
    int64_t full_us;  // the time that it gets
    int64_t since_us; // when it began
    int64_t next_us;  // when to check again
    bool looked;
    int64_t cpu_us; // used by its process group at the first check
} jck_patience;

// Starts the wait.
void jck_patience_begin(jck_patience *patience, int64_t now_us, int64_t full_us);
// To be called after `next_us`: checks the process group. True: no answer can be expected any more.
// False: keep waiting, until the new `next_us`.
bool jck_patience_ends(jck_patience *patience, pid_t group, int64_t now_us);
// The same, given what was measured; `work` NULL: unknown, so only the time counts. Pure.
bool jck_patience_weigh(jck_patience *patience, const jrpc_os_work *work, int64_t now_us);

#endif
