#include "harness/cli/commands.h"
#include "harness/cli/selected.h"

jck_exit jck_cmd_client(jck_options *options)
{
    return jck_run_selected(options, JCK_SIDE_CLIENT);
}
