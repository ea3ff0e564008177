#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/repro_words.h"
#include "harness/cli/selected.h"
#include "harness/cli/words.h"
#include "harness/parser/fuzz.h"
#include "harness/parser/run.h"

bool jck_choose_adapter(jck_assignment *assignment)
{
    jck_target *target = assignment->target;
    if (!jck_target_traits(target)->is_child) {
        return jck_complain_of("a parser is tested through an adapter that jrpcheck starts: write "
                               "jrpcheck parser -- ./my-adapter (docs/testing-a-parser.md)");
    }
    target->framing = JRPC_FRAMING_LENGTH32;
    target->framing_given = true;
    assignment->run = assignment->options->fuzz_parser ? jck_parser_fuzz : jck_parser_run;
    return true;
}

jck_exit jck_cmd_parser(jck_options *options)
{
    jck_target target;
    jck_exit status = JCK_EXIT_USAGE;
    jck_assignment assignment = {
        .options = options,
        .target = &target,
        .side = JCK_SIDE_PARSER,
        .verbose = options->verbose,
    };
    if (jck_execute_target(options, 0, &target) && jck_choose_adapter(&assignment)) {
        jck_suite *suite = jck_data_load_suite(options);
        const jck_profile *profile =
            suite == NULL ? NULL : jck_data_profile(options, suite, &target);
        if (profile != NULL) {
            assignment.suite = suite;
            // What was generated is in no file, so there is nothing to repeat by its name.
            assignment.repro = options->fuzz_parser ? NULL : jck_repro_words(options, 0);
            status = jck_run_selected(&assignment, profile);
        }
        jck_suite_free(suite);
    }
    jck_target_done(&target);
    return status;
}
