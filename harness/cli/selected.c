#include "harness/cli/selected.h"

#include "harness/cli/failed.h"
#include "harness/cli/plan_show.h"
#include "harness/cli/setup.h"
#include "harness/cli/words.h"
#include "harness/suite/select.h"

#include <stdio.h>

static jck_exit refuse_selection(const jck_options *options, const jck_profile *profile,
                                 size_t before)
{
    if (before > 0) {
        (void)jck_complain_of("the profile %.*s leaves out every case that is selected; jrpcheck "
                              "explain CASE --profile %s says why",
                              (int)profile->name.len, profile->name.ptr,
                              options->profile == NULL ? profile->name.ptr : options->profile);
    } else {
        (void)jck_complain_of(
            "no case is selected; --skip excludes all that --suite and --only select");
    }
    return JCK_EXIT_USAGE;
}

static size_t count_marks(const bool *selected, size_t count)
{
    size_t marks = 0;
    for (size_t i = 0; i < count; i++) {
        marks += selected[i] ? 1 : 0;
    }
    return marks;
}

// Keeps only those of the selected cases that failed before.
static bool keep_failed(jck_options *options, const jck_suite *suite, bool *selected)
{
    size_t count = jck_suite_case_count(suite);
    bool *failed = jrpc_arena_array(&options->arena, count + 1, sizeof *failed);
    if (failed == NULL) {
        return jck_complain_of("out of memory for the selection");
    }
    if (!jck_failed_read(options, suite, failed)) {
        return false;
    }
    // Without a selection: the failed cases of whichever suites ran then.
    bool all = options->suites.count + options->only.count + options->skip.count == 0;
    for (size_t i = 0; i < count; i++) {
        selected[i] = failed[i] && (all || selected[i]);
    }
    return true;
}

static const jck_case *first_marked(const jck_suite *suite, const bool *selected)
{
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        if (selected[i]) {
            return jck_suite_case(suite, i);
        }
    }
    return NULL;
}

// Keeps only those of the selected cases that test this side.
static void keep_side(const jck_assignment *assignment, bool *selected)
{
    for (size_t i = 0; i < jck_suite_case_count(assignment->suite); i++) {
        const jck_case *test_case = jck_suite_case(assignment->suite, i);
        selected[i] = selected[i] && test_case->side == assignment->side &&
                      test_case->undriven == assignment->options->undriven;
    }
}

static jck_exit refuse_side(const jck_case *test_case)
{
    static const char *const others[] = {
        [JCK_SIDE_SERVER] = "servers; jrpcheck run runs them",
        [JCK_SIDE_CLIENT] = "clients; jrpcheck client runs them",
        [JCK_SIDE_PARSER] = "parsers of JSON; jrpcheck parser runs them",
    };
    static const char undriven[] = "clients that run by themselves; jrpcheck client --undriven "
                                   "runs them";
    (void)jck_complain_of("the selected cases test %s",
                          test_case->undriven ? undriven : others[test_case->side]);
    return JCK_EXIT_USAGE;
}

// What runs by default for the target, unless suites are named. `own_suite` gets the name of the
// suite that joins.
static jck_selection selection_for(const jck_assignment *assignment, const jck_profile *profile,
                                   char *own_suite, size_t own_size)
{
    static const char *const of_sides[] = {
        [JCK_SIDE_CLIENT] = "jsonrpc-2.0-client",
        [JCK_SIDE_PARSER] = "json-parser",
    };
    static const char *const undriven = "undriven";
    const jck_options *options = assignment->options;
    const jck_target *target = assignment->target;
    // The suite about the transport itself, if there is one, joins the default ones; so does the
    // one about framings. Of messages on lines, only what is about lines: other suites have long
    // messages and the end of the input.
    const jrpc_traits *traits = jck_target_traits(target);
    const bool lines = target->framing == JRPC_FRAMING_LINE;
    (void)snprintf(own_suite, own_size, "transport-%s",
                   traits->byte_stream ? "framing" : traits->name);
    bool server = assignment->side == JCK_SIDE_SERVER;
    bool named = assignment->side == JCK_SIDE_CLIENT && !options->undriven &&
                 profile->client_suite_count > 0;
    const char *const *own = named               ? profile->client_suites
                             : options->undriven ? &undriven
                                                 : &of_sides[assignment->side];
    return (jck_selection){
        .suites = options->suites.items,
        .suite_count = options->suites.count,
        .defaults = server ? profile->suites : own,
        .default_count = server  ? profile->suite_count
                         : named ? profile->client_suite_count
                                 : 1,
        .fixed = assignment->side == JCK_SIDE_PARSER,
        .also = server ? own_suite : NULL,
        .also_need = traits->byte_stream && lines ? "framing:line" : NULL,
        .declared = target->declares,
        .declared_count = target->declare_count,
        .only = options->only.items,
        .only_count = options->only.count,
        .skip = options->skip.items,
        .skip_count = options->skip.count,
    };
}

jck_exit jck_selected_mark(const jck_assignment *assignment, const jck_profile *profile,
                           bool *ret_selected)
{
    jck_options *options = assignment->options;
    const jck_suite *suite = assignment->suite;
    jrpc_error error = {0};
    char own_suite[40];
    const jck_selection selection = selection_for(assignment, profile, own_suite, sizeof own_suite);
    if (!jck_select(suite, &selection, ret_selected, &error)) {
        (void)jck_complain(&error);
        return JCK_EXIT_USAGE;
    }
    if (options->only_failed != NULL && !keep_failed(options, suite, ret_selected)) {
        return JCK_EXIT_USAGE;
    }
    size_t count = jck_suite_case_count(suite);
    const jck_case *any = first_marked(suite, ret_selected);
    keep_side(assignment, ret_selected);
    size_t before = count_marks(ret_selected, count);
    if (any != NULL && before == 0) {
        return refuse_side(any);
    }
    jck_profile_restrict(suite, profile, ret_selected);
    return count_marks(ret_selected, count) > 0 ? JCK_EXIT_CONFORMANT
                                                : refuse_selection(options, profile, before);
}

static jck_exit run_selected(jck_assignment *assignment, const jck_profile *profile)
{
    jck_options *options = assignment->options;
    size_t count = jck_suite_case_count(assignment->suite);
    bool *selected = jrpc_arena_array(&options->arena, count + 1, sizeof *selected);
    if (selected == NULL) {
        (void)jck_complain_of("out of memory for the selection");
        return JCK_EXIT_FAULT;
    }
    jck_exit marked = jck_selected_mark(assignment, profile, selected);
    if (marked != JCK_EXIT_CONFORMANT) {
        return marked;
    }
    assignment->selected = selected;
    jck_execute_seed(assignment);
    return options->plan ? jck_plan_show(assignment) : jck_execute(assignment);
}

jck_exit jck_run_selected(jck_options *options, jck_side side)
{
    jck_setup setup = {.suite = NULL};
    jck_exit status = jck_setup_open(&setup, options, side, 0)
                          ? run_selected(&setup.assignment, setup.profile)
                          : JCK_EXIT_USAGE;
    jck_setup_done(&setup);
    return status;
}
