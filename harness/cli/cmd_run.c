#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/repro_words.h"
#include "harness/cli/selected.h"

jck_exit jck_cmd_run(jck_options *options)
{
    jck_target target;
    jck_exit status = JCK_EXIT_USAGE;
    if (jck_execute_target(options, 0, &target)) {
        jck_suite *suite = jck_data_load_suite(options);
        const jck_profile *profile =
            suite == NULL ? NULL : jck_data_profile(options, suite, &target);
        if (profile != NULL) {
            jck_assignment assignment = {
                .options = options,
                .suite = suite,
                .target = &target,
                .repro = jck_repro_words(options, 0),
                .verbose = options->verbose,
            };
            status = jck_run_selected(&assignment, profile);
        }
        jck_suite_free(suite);
    }
    jck_target_done(&target);
    return status;
}
