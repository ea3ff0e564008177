#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/repro_words.h"
#include "harness/cli/selected.h"
#include "harness/cli/words.h"

bool jck_choose_transport(const jck_options *options, jck_target *target)
{
    if (target->command == NULL) {
        return jck_complain_of("a client is tested through a driver that jrpcheck starts: write "
                               "jrpcheck client -- ./my-driver (docs/testing-a-client.md)");
    }
    target->transport = options->transport_given ? options->transport : JRPC_TRANSPORT_TCP;
    const jrpc_traits *traits = jck_target_traits(target);
    if (traits->is_web && !JRPC_HTTP) {
        return jck_complain_of("this build has no HTTP and no WebSocket; use --transport tcp, unix "
                               "or stdio");
    }
    if (options->framing_given && !traits->byte_stream) {
        return jck_complain_of("--framing is for streams (tcp, unix, stdio); HTTP and WebSocket "
                               "have messages of their own");
    }
    return true;
}

jck_exit jck_cmd_client(jck_options *options)
{
    jck_target target;
    jck_exit status = JCK_EXIT_USAGE;
    if (jck_execute_target(options, 0, &target) && jck_choose_transport(options, &target)) {
        jck_suite *suite = jck_data_load_suite(options);
        const jck_profile *profile =
            suite == NULL ? NULL : jck_data_profile(options, suite, &target);
        if (profile != NULL) {
            jck_assignment assignment = {
                .options = options,
                .suite = suite,
                .target = &target,
                .side = JCK_SIDE_CLIENT,
                .self = jck_data_program(options, "jrpcheck"),
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
