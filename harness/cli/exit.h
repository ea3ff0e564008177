// The exit codes of jrpcheck. Where several would do, the precedence is 5, 3, 1, 4.
#ifndef JCK_CLI_EXIT_H
#define JCK_CLI_EXIT_H

typedef enum jck_exit {
    JCK_EXIT_CONFORMANT = 0,
    JCK_EXIT_BROKEN = 1,   // a rule is broken; also a target that answers nothing
    JCK_EXIT_USAGE = 2,    // off words, a bad file, nothing selected, nothing judged
    JCK_EXIT_UNOPENED = 3, // the target could not be started or opened (again)
    JCK_EXIT_STALE = 4,    // the baseline is not what was found
    JCK_EXIT_FAULT = 5,    // the harness itself failed
    JCK_EXIT_INTERRUPTED = 130,
} jck_exit;

#endif
