// How long the answer of a process is waited for: until its time is up and it has worked for a good
// part of it, or does not work at all. A process that a busy machine does not let work has not
// hung.
#ifndef JCK_PARSER_PATIENCE_H
#define JCK_PARSER_PATIENCE_H

#include "reference/base/os_linux.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jck_patience {
    int64_t full_us;  // the time that it has
    int64_t since_us; // when it began
    int64_t next_us;  // when it is looked at next
    bool looked;
    int64_t cpu_us; // that its group had used when it was looked at first
} jck_patience;

// Begins to wait.
void jck_patience_begin(jck_patience *patience, int64_t now_us, int64_t full_us);
// After `next_us`: looks at the process and the others of its group. True: nothing more is to be
// expected. False: `next_us` has moved on.
bool jck_patience_ends(jck_patience *patience, pid_t group, int64_t now_us);
// The same, given what was seen of it; `work` NULL: not known, so only the time counts.
// Pure.
bool jck_patience_weigh(jck_patience *patience, const jrpc_os_work *work, int64_t now_us);

#endif
