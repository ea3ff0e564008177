#include "harness/cli/commands.h"
jck_exit jck_cmd_explain(jck_options *options)
{
    (void)options;
    return JCK_EXIT_USAGE;
}
