#include "harness/cli/exit.h"

#include <stddef.h>

const jck_exit_meaning *jck_exit_table(void)
{
    static const jck_exit_meaning table[] = {
        {JCK_EXIT_CONFORMANT, "conformant"},
        {JCK_EXIT_BROKEN, "not conformant"},
        {JCK_EXIT_USAGE, "wrong usage, a bad file, or nothing was tested"},
        {JCK_EXIT_UNOPENED, "the target could not be started or reached"},
        {JCK_EXIT_STALE, "the baseline is stale: something in it passes now"},
        {JCK_EXIT_FAULT, "a fault of jrpcheck itself"},
        {JCK_EXIT_OUTPUT, "a report or other output could not be written"},
        {JCK_EXIT_INTERRUPTED, "interrupted"},
        {JCK_EXIT_CONFORMANT, NULL},
    };
    return table;
}

jck_exit jck_exit_of(const jrpc_error *error)
{
    return error->code == JRPC_ERROR_SYSTEM ? JCK_EXIT_OUTPUT : JCK_EXIT_FAULT;
}
