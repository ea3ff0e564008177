#include "harness/cli/commands.h"
#include "harness/cli/selected.h"

jck_exit jck_cmd_parser(jck_options *options)
{
    return jck_run_selected(options, JCK_SIDE_PARSER);
}
