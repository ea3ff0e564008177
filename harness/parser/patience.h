// How long to wait for the answer of a process: until its time is up and it has either worked for a
// good part of that time or is not working at all. A process that a busy machine keeps from working
// has not hung.
#ifndef JCK_PARSER_PATIENCE_H
#define JCK_PARSER_PATIENCE_H

#include "reference/base/os_linux.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jck_patience {
    int64_t full_us;  // the time that it is given
    int64_t since_us; // when it began
    int64_t next_us;  // when to look at it next
    bool looked;
    int64_t cpu_us; // used by its group at the first look
} jck_patience;

// Begins to wait.
void jck_patience_begin(jck_patience *patience, int64_t now_us, int64_t full_us);
// After `next_us`: looks at the process and the others of its group. True: no answer can be
// expected any more. False: wait on, until the new `next_us`.
bool jck_patience_ends(jck_patience *patience, pid_t group, int64_t now_us);
// The same, given what was seen; `work` NULL: not known, so only the time counts. Pure.
bool jck_patience_weigh(jck_patience *patience, const jrpc_os_work *work, int64_t now_us);

#endif
