#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/faults.h"
#include "harness/cli/published.h"
#include "harness/cli/show.h"
#include "harness/cli/words.h"
#include "harness/report/safe.h"
#include "harness/suite/nearest.h"

static void show_line(jrpc_slice name, const char *between, jrpc_slice text)
{
    (void)printf("    ");
    (void)jck_print_safe(stdout, name);
    (void)printf("%s", text.len > 0 ? between : "");
    (void)jck_print_safe(stdout, text);
    (void)putchar('\n');
}

static void show_cases_of(const jck_suite *suite, const jck_rule *rule)
{
    size_t count = 0;
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        const jck_case *test_case = jck_suite_case(suite, i);
        if (!jck_case_names(test_case, rule->id)) {
            continue;
        }
        if (count++ == 0) {
            (void)puts("\n  Cases that prove it");
        }
        show_line(test_case->id, ": ", test_case->title);
    }
    if (count == 0) {
        (void)puts("\n  No case proves it.");
    }
}

static void show_faults_of(const jck_faults *faults, jrpc_slice rule)
{
    bool any = false;
    for (size_t i = 0; i < faults->count; i++) {
        if (!jrpc_slice_equal(faults->items[i].rule, rule)) {
            continue;
        }
        if (!any) {
            (void)puts("\n  Faults that break it (jrpc-reference --fault NAME)");
        }
        any = true;
        show_line(faults->items[i].name, ": ", faults->items[i].description);
    }
}

static const char *what_changes(const jck_change *change)
{
    switch (change->kind) {
    case JCK_CHANGE_LEVEL:
        return change->off ? "taken out" : jck_level_name(change->level);
    case JCK_CHANGE_ACCEPT:
        return "other answers do";
    case JCK_CHANGE_LEAVE_OUT:
        return "left out";
    }
    return "";
}

// The profile's changes to a rule, or to a case (the other one is NULL).
static void show_changes_of(const jck_profile *profile, const jck_rule *rule,
                            const jck_case *test_case)
{
    for (size_t i = 0; i < profile->change_count; i++) {
        const jck_change *change = &profile->changes[i];
        bool concerned = rule != NULL ? jck_change_concerns_rule(change, rule->id)
                                      : jck_change_concerns_case(change, test_case);
        for (size_t r = 0; test_case != NULL && !concerned && r < test_case->rule_count; r++) {
            concerned = jck_change_concerns_rule(change, test_case->rules[r]);
        }
        if (!concerned) {
            continue;
        }
        (void)printf("\n  Profile ");
        (void)jck_print_safe(stdout, change->profile);
        (void)printf(": %s", what_changes(change));
        if (change->kind == JCK_CHANGE_LEVEL && test_case != NULL) {
            (void)printf(", for a rule of the case");
        }
        (void)puts("");
        jck_show_text("sentence", change->sentence);
        jck_show_text("source", change->source);
    }
}

static void explain_rule(const jck_suite *suite, const jck_faults *faults,
                         const jck_profile *profile, const jck_rule *rule)
{
    (void)jck_print_safe(stdout, rule->id);
    (void)printf("  %s%s  ", rule->off ? "off" : jck_level_name(rule->level),
                 rule->lenient ? " (lenient)" : "");
    (void)jck_print_safe(stdout, rule->title);
    (void)puts("\n");
    jck_show_text("sentence", rule->sentence);
    jck_show_text("source", rule->source);
    jck_show_text("note", rule->note);
    jck_show_words("stands on", rule->stands_on, rule->stands_on_count);
    jck_show_text("ground", rule->ground);
    jck_show_text("untestable", rule->untestable);
    jck_show_text("client", rule->client);
    jck_show_text("judge", rule->judge);
    show_changes_of(profile, rule, NULL);
    show_cases_of(suite, rule);
    show_faults_of(faults, rule->id);
}

static void show_rules_of(const jck_suite *suite, const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->rule_count; i++) {
        const jck_rule *rule = jck_suite_find_rule(suite, test_case->rules[i]);
        if (rule == NULL) {
            continue;
        }
        (void)printf("\n  ");
        (void)jck_print_safe(stdout, rule->id);
        (void)printf("  %s\n", jck_level_name(jck_case_level(test_case, rule)));
        jck_show_text("", rule->sentence);
    }
}

static void show_catches_of(const jck_faults *faults, const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->catch_count; i++) {
        const jck_fault_line *fault =
            jck_faults_find(faults, test_case->catches[i], test_case->side);
        if (i == 0) {
            (void)puts("\n  Faults that it notices (jrpc-reference --fault NAME)");
        }
        show_line(test_case->catches[i], ": ",
                  fault == NULL ? (jrpc_slice){NULL, 0} : fault->description);
    }
}

static bool explain_case(const jck_suite *suite, const jck_faults *faults,
                         const jck_profile *profile, const jck_case *test_case)
{
    jck_sample sample;
    jrpc_error error = {0};
    bool made = jck_sample_init(&sample, NULL, 1, &error);
    if (made) {
        (void)jck_print_safe(stdout, test_case->id);
        (void)printf("  (");
        (void)jck_print_safe(stdout, test_case->suite);
        (void)printf(", section ");
        (void)jck_print_safe(stdout, test_case->section);
        (void)puts(")\n");
        jck_show_text("title", test_case->title);
        jck_show_text("why", test_case->why);
        jck_show_text("found", test_case->found);
        jck_show_words("needs", test_case->needs, test_case->need_count);
        jck_show_words("aliases", test_case->aliases, test_case->alias_count);
        jck_show_text("hazard", test_case->hazard ? JRPC_SLICE("it runs after all others")
                                                  : (jrpc_slice){NULL, 0});
        (void)putchar('\n');
        jck_show_steps(&sample, test_case);
        show_rules_of(suite, test_case);
        show_changes_of(profile, NULL, test_case);
        show_catches_of(faults, test_case);
        (void)printf("\n  %s:%zu\n", test_case->file, test_case->line);
    } else {
        (void)jck_complain(&error);
    }
    jck_sample_done(&sample);
    return made;
}

static jck_exit refuse(const jck_suite *suite, jrpc_slice name)
{
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, name);
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        jck_nearest_offer(&nearest, jck_suite_rule(suite, i)->id);
    }
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        jck_nearest_offer(&nearest, jck_suite_case(suite, i)->id);
    }
    (void)jck_complain_of("there is neither a rule nor a case \"%.*s\"%s",
                          (int)(name.len < 100 ? name.len : 100), name.ptr,
                          jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0'
                              ? hint
                              : "; jrpcheck list and list --rules show them all");
    return JCK_EXIT_USAGE;
}

static jck_exit explain(jck_options *options, const jck_suite *suite, const jck_profile *profile,
                        jrpc_slice name)
{
    const jck_rule *rule = jck_suite_find_rule(suite, name);
    const jck_case *test_case = rule == NULL ? jck_suite_find_case(suite, name) : NULL;
    if (rule == NULL && test_case == NULL) {
        return refuse(suite, name);
    }
    // Without jrpc-reference less is shown; that is an error only if --faults asked for it.
    jck_faults faults;
    jrpc_error error = {0};
    jck_exit status = JCK_EXIT_CONFORMANT;
    if (!jck_faults_load(&faults, options, &error) && options->faults != NULL) {
        (void)jck_complain(&error);
        status = JCK_EXIT_USAGE;
    } else if (rule != NULL) {
        explain_rule(suite, &faults, profile, rule);
        if (!jck_published_show(options, rule->id, &error)) {
            (void)jck_complain(&error);
            status = JCK_EXIT_USAGE;
        }
    } else if (!explain_case(suite, &faults, profile, test_case)) {
        status = JCK_EXIT_FAULT;
    }
    jck_faults_done(&faults);
    return status;
}

jck_exit jck_cmd_explain(jck_options *options)
{
    if (options->operands.count != 1 || options->behind != NULL) {
        (void)jck_complain_of("name one rule or one case: jrpcheck explain J2-6d");
        return JCK_EXIT_USAGE;
    }
    jck_suite *suite = jck_data_load_suite(options);
    jck_exit status = JCK_EXIT_USAGE;
    const jck_profile *profile = suite == NULL ? NULL : jck_data_profile(options, suite, NULL);
    if (profile != NULL) {
        status = explain(options, suite, profile, jrpc_slice_str(options->operands.items[0]));
    }
    jck_suite_free(suite);
    return status;
}
