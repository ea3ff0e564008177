#include "harness/cli/commands.h"
#include "harness/cli/setup.h"
#include "harness/cli/stranger.h"
#include "harness/cli/words.h"
#include "harness/live/explore.h"
#include "harness/suite/select.h"
#include "reference/base/plural.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define SECONDS_DEFAULT 60u

// One line that is rewritten.
static void show_progress(void *context, const jck_live_figures *figures)
{
    const jck_options *options = context;
    if (options->quiet || isatty(STDERR_FILENO) == 0) {
        return;
    }
    int64_t seconds = figures->elapsed_us / 1000000;
    (void)fprintf(
        stderr,
        "\r\033[K%" PRId64 " s, %" PRIu64 " message%s (%" PRIu64
        " a second), %zu way%s of answering, %zu finding%s",
        seconds, figures->messages, jrpc_plural(figures->messages),
        figures->elapsed_us > 0 ? figures->messages * 1000000u / (uint64_t)figures->elapsed_us : 0,
        figures->behaviours, jrpc_plural(figures->behaviours), figures->findings,
        jrpc_plural(figures->findings));
    (void)fflush(stderr);
}

// A line for each finding as it is confirmed: a run may take hours, and the report comes at its
// end.
static void show_finding(void *context, const char *level, const char *rule, const char *what,
                         const char *sent)
{
    const jck_options *options = context;
    if (!options->quiet) {
        (void)fprintf(stderr, "%s%s %s: %s; sent: %s\n",
                      isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "", level, rule, what, sent);
    }
}

static void show_figures(const jck_options *options, jck_live *live, uint64_t seed)
{
    jck_live_figures figures;
    jck_live_read(live, &figures);
    if (isatty(STDERR_FILENO) != 0) {
        (void)fputs("\r\033[K", stderr);
    }
    if (options->quiet) {
        return;
    }
    int64_t ms = figures.elapsed_us / 1000;
    (void)fprintf(stderr,
                  "fuzzed %" PRId64 ".%" PRId64 " s with seed %" PRIu64 ": %" PRIu64
                  " message%s, %zu way%s of answering, %zu finding%s",
                  ms / 1000, ms % 1000 / 100, seed, figures.messages, jrpc_plural(figures.messages),
                  figures.behaviours, jrpc_plural(figures.behaviours), figures.findings,
                  jrpc_plural(figures.findings));
    if (figures.edges > 0) {
        (void)fprintf(stderr, ", %zu edge%s of its code", figures.edges,
                      jrpc_plural(figures.edges));
    }
    if (figures.flaky > 0) {
        (void)fprintf(stderr, ", %zu suspicion%s not confirmed", figures.flaky,
                      jrpc_plural(figures.flaky));
    }
    (void)fputc('\n', stderr);
}

// Whether a case is about servers over another transport than the target's.
static bool is_elsewhere(const jck_case *test_case, const jck_target *target)
{
    static const jrpc_slice prefix = JRPC_SLICE_INIT("transport:");
    bool elsewhere = false;
    for (size_t i = 0; i < test_case->need_count; i++) {
        jrpc_transport transport;
        jrpc_slice need = test_case->needs[i];
        elsewhere =
            elsewhere || (jrpc_slice_starts_with(need, prefix) &&
                          jrpc_transport_from_name(jrpc_slice_from(need, prefix.len), &transport) &&
                          transport != target->transport);
    }
    return elsewhere;
}

// Whether each pattern of --only matches a rule.
static bool are_rules(const jck_options *options, const jck_suite *suite)
{
    for (size_t k = 0; k < options->only.count; k++) {
        bool matches = false;
        for (size_t r = 0; r < jck_suite_rule_count(suite) && !matches; r++) {
            matches = jck_pattern_matches(options->only.items[k], jck_suite_rule(suite, r)->id);
        }
        if (!matches) {
            return jck_complain_of("no rule matches \"%s\"; when fuzzing, --only names rules, and "
                                   "`jrpcheck list --rules` shows them",
                                   options->only.items[k]);
        }
    }
    return true;
}

// The ground cases of the specification, which are run first: what they show is not reported again.
static bool *select_grounds(const jck_options *options, const jck_suite *suite,
                            const jck_profile *profile, const jck_target *target, jrpc_arena *arena)
{
    bool *selected = jrpc_arena_array(arena, jck_suite_case_count(suite) + 1, sizeof *selected);
    for (size_t r = 0; selected != NULL && r < jck_suite_rule_count(suite); r++) {
        const jck_rule *rule = jck_suite_rule(suite, r);
        for (size_t i = 0; rule->ground.len > 0 && i < jck_suite_case_count(suite); i++) {
            const jck_case *test_case = jck_suite_case(suite, i);
            bool named = options->only.count == 0 && test_case->side == JCK_SIDE_SERVER;
            for (size_t k = 0; k < options->only.count && !named; k++) {
                named = jck_pattern_matches(options->only.items[k], rule->id);
            }
            // Messages are generated for one connection: rules about several are not tested.
            named = named && !jck_rule_has_role(rule, JCK_ROLE_OWN_CONNECTION) &&
                    !is_elsewhere(test_case, target);
            selected[i] = selected[i] || (named && jrpc_slice_equal(test_case->id, rule->ground));
        }
    }
    if (selected != NULL) {
        jck_profile_restrict(suite, profile, selected);
    }
    return selected;
}

// Lets an instrumented target that we start report which edges of its code messages reach.
static bool show_edges(jck_options *options, const jck_live *live, jck_target *target,
                       jrpc_error *error)
{
    const char *variable;
    for (size_t i = 0; (variable = jck_live_variable(live, i, &options->arena)) != NULL; i++) {
        if (!jck_target_add_environment(target, variable, error)) {
            return jck_complain(error);
        }
    }
    return true;
}

static jck_exit fuzz(jck_options *options, jck_setup *setup)
{
    jck_assignment *assignment = &setup->assignment;
    const jck_profile *profile = setup->profile;
    jrpc_error error = {0};
    assignment->selected =
        select_grounds(options, assignment->suite, profile, &setup->target, &options->arena);
    if (assignment->selected == NULL) {
        (void)jck_complain_of("out of memory for the selection");
        return JCK_EXIT_FAULT;
    }
    jck_execute_seed(assignment);
    const jck_live_options live_options = {
        .seed = assignment->seed + ((uint64_t)options->shard_index - 1) * 1000003u,
        .max_messages = options->messages,
        .corpus = options->corpus,
        .save = options->save,
        .profile = profile,
        .only = options->only.items,
        .only_count = options->only.count,
        .progress = show_progress,
        .found = show_finding,
        .context = options,
    };
    jck_live *live = jck_live_new(&live_options, &error);
    if (live == NULL) {
        (void)jck_complain(&error);
        return jck_exit_of(&error);
    }
    if (!show_edges(options, live, &setup->target, &error)) {
        jck_live_free(live);
        return JCK_EXIT_FAULT;
    }
    options->shard_index = options->shard_count = 1; // every part runs the ground cases
    assignment->explore = jck_live_explore;
    assignment->explorer = live;
    assignment->explore_us =
        (options->fuzz_seconds == 0 && options->messages == 0 ? SECONDS_DEFAULT
                                                              : options->fuzz_seconds) *
        INT64_C(1000000);
    jck_exit status = jck_execute(assignment);
    if (status != JCK_EXIT_USAGE && status != JCK_EXIT_UNOPENED) {
        show_figures(options, live, assignment->seed);
    }
    if (jck_live_trouble(live)->code != JRPC_OK) {
        (void)jck_complain(jck_live_trouble(live));
        status = status == JCK_EXIT_CONFORMANT || status == JCK_EXIT_BROKEN
                     ? jck_exit_of(jck_live_trouble(live))
                     : status;
    }
    jck_live_free(live);
    return status;
}

#define IN_PRODUCTION "http-production"

// Whether a profile extends the one for production, over however many others: what it changes
// names the profile that says so.
static bool extends_production(const jck_profile *profile)
{
    bool extends = jrpc_slice_is(profile->extends, IN_PRODUCTION);
    for (size_t i = 0; i < profile->change_count && !extends; i++) {
        extends = jrpc_slice_is(profile->changes[i].profile, IN_PRODUCTION);
    }
    return extends;
}

// Whether the profile allows fuzzing: some are for servers that must not be fuzzed.
static bool is_fuzzable(const jck_profile *profile)
{
    const bool same = jrpc_slice_is(profile->name, IN_PRODUCTION);
    return (!same && !extends_production(profile)) ||
           jck_complain_of("the profile %.*s %s for servers in production, and those are not "
                           "fuzzed; fuzz a server of your own, under another profile",
                           (int)profile->name.len, profile->name.ptr,
                           same ? "is" : "extends " IN_PRODUCTION ", which is");
}

jck_exit jck_cmd_fuzz(jck_options *options)
{
    jck_setup setup = {.suite = NULL};
    jrpc_error error = {0};
    bool ready =
        jck_setup_target(&setup, options, JCK_SIDE_SERVER, 0) &&
        (jck_stranger_check(&setup.target, options->may_fuzz, &error) || jck_complain(&error)) &&
        jck_setup_suite(&setup) && is_fuzzable(setup.profile) &&
        are_rules(options, setup.assignment.suite);
    jck_exit status = ready ? fuzz(options, &setup) : JCK_EXIT_USAGE;
    jck_setup_done(&setup);
    return status;
}
