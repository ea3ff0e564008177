// The exit codes of jrpcheck. If several apply, the precedence is 5, 6, 3, 1, 4.
#ifndef JCK_CLI_EXIT_H
#define JCK_CLI_EXIT_H

#include "reference/base/error.h"

typedef enum jck_exit {
    JCK_EXIT_CONFORMANT = 0,
    JCK_EXIT_BROKEN = 1,   // a rule is broken; also if the target answers nothing
    JCK_EXIT_USAGE = 2,    // invalid arguments, an invalid file, nothing selected, nothing judged
    JCK_EXIT_UNOPENED = 3, // the target could not be started or opened (again)
    JCK_EXIT_STALE = 4,    // the baseline does not match the results
    JCK_EXIT_FAULT = 5,    // the harness itself failed
    JCK_EXIT_OUTPUT = 6,   // an output could not be written: a full disk, a reader that is gone
    JCK_EXIT_INTERRUPTED = 130,
} jck_exit;

typedef struct jck_exit_meaning {
    jck_exit code;
    const char *meaning; // for the user
} jck_exit_meaning;

// All codes in order, terminated by a NULL meaning: help and manual are made from it.
const jck_exit_meaning *jck_exit_table(void);
// The exit code for a failure to write outputs: OUTPUT if the system refused, else FAULT.
jck_exit jck_exit_of(const jrpc_error *error);

#endif
