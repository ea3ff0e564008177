#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/list_json.h"
#include "harness/cli/words.h"
#include "harness/report/safe.h"
#include "harness/suite/select.h"

// Wider ids shift the columns of their line to the right.
#define ID_WIDTH 40
#define RULES_WIDTH 24

static size_t characters(jrpc_slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += ((unsigned char)text.ptr[i] & 0xC0) != 0x80 ? 1 : 0;
    }
    return count;
}

static void print_column(jrpc_slice text, size_t width)
{
    (void)jck_print_safe(stdout, text);
    size_t printed = characters(text);
    (void)printf("%*s", (int)(printed < width ? width - printed : 0) + 2, "");
}

static size_t widest(size_t so_far, jrpc_slice text, size_t most)
{
    size_t len = characters(text);
    return len > so_far && len <= most ? len : so_far;
}

static jck_exit list_rules_json(const jck_suite *suite)
{
    if (!jck_list_rules_json(suite)) {
        (void)jck_complain_of("out of memory for a line about a rule");
        return JCK_EXIT_FAULT;
    }
    return JCK_EXIT_CONFORMANT;
}

static void list_rules(const jck_suite *suite)
{
    size_t width = 4;
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        width = widest(width, jck_suite_rule(suite, i)->id, ID_WIDTH);
    }
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        const jck_rule *rule = jck_suite_rule(suite, i);
        print_column(rule->id, width);
        print_column(jrpc_slice_str(rule->off ? "off" : jck_level_name(rule->level)), 7);
        (void)jck_print_safe(stdout, rule->title);
        (void)putchar('\n');
    }
}

// "J2-6d,J2-5a"
static bool join_rules(const jck_case *test_case, jrpc_buffer *out)
{
    jrpc_buffer_clear(out);
    for (size_t i = 0; i < test_case->rule_count; i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? "" : ",");
        (void)jrpc_buffer_append(out, test_case->rules[i]);
    }
    return !out->failed;
}

static void list_cases(const jck_suite *suite, const bool *selected)
{
    jrpc_buffer rules;
    size_t id_width = 4;
    size_t rules_width = 4;
    jrpc_buffer_init(&rules, jrpc_allocator_heap(), (size_t)64 << 10);
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        const jck_case *test_case = jck_suite_case(suite, i);
        if (selected[i] && join_rules(test_case, &rules)) {
            id_width = widest(id_width, test_case->id, ID_WIDTH);
            rules_width = widest(rules_width, jrpc_buffer_slice(&rules), RULES_WIDTH);
        }
    }
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        const jck_case *test_case = jck_suite_case(suite, i);
        if (selected[i] && join_rules(test_case, &rules)) {
            print_column(test_case->id, id_width);
            print_column(jrpc_buffer_slice(&rules), rules_width);
            (void)jck_print_safe(stdout, test_case->title);
            (void)putchar('\n');
        }
    }
    jrpc_buffer_done(&rules);
}

// Without --suite, --only and --profile every case of every suite is listed: nothing is hidden.
static jck_exit list_selected(jck_options *options, const jck_suite *suite,
                              const jck_profile *profile)
{
    jrpc_error error = {0};
    size_t count = jck_suite_case_count(suite);
    bool *selected = jrpc_arena_array(&options->arena, count + 1, sizeof *selected);
    jck_words suites = options->suites;
    if (suites.count == 0) {
        suites.items = jrpc_arena_array(&options->arena, count + 1, sizeof *suites.items);
    }
    if (selected == NULL || suites.items == NULL) {
        (void)jck_complain_of("out of memory for the selection");
        return JCK_EXIT_FAULT;
    }
    bool all = options->suites.count == 0 && options->profile == NULL;
    for (size_t i = 0; all && i < count; i++) {
        jrpc_slice name = jck_suite_case(suite, i)->suite;
        if (i == 0 || !jrpc_slice_equal(name, jck_suite_case(suite, i - 1)->suite)) {
            jrpc_slice copy = {"", 0};
            (void)jrpc_arena_copy(&options->arena, name, &copy);
            suites.items[suites.count++] = copy.ptr;
        }
    }
    const jck_selection selection = {
        .suites = suites.items,
        .suite_count = suites.count,
        .defaults = profile->suites,
        .default_count = profile->suite_count,
        .only = options->only.items,
        .only_count = options->only.count,
        .skip = options->skip.items,
        .skip_count = options->skip.count,
    };
    if (!jck_select(suite, &selection, selected, &error)) {
        (void)jck_complain(&error);
        return JCK_EXIT_USAGE;
    }
    jck_profile_restrict(suite, profile, selected);
    if (!options->json) {
        list_cases(suite, selected);
    } else if (!jck_list_cases_json(suite, selected)) {
        (void)jck_complain_of("out of memory for a line about a case");
        return JCK_EXIT_FAULT;
    }
    return JCK_EXIT_CONFORMANT;
}

jck_exit jck_cmd_list(jck_options *options)
{
    if (options->operands.count > 0 || options->behind != NULL) {
        (void)jck_complain_of(
            "jrpcheck list takes no arguments; to choose cases, write --suite NAME or "
            "--only GLOB");
        return JCK_EXIT_USAGE;
    }
    jck_suite *suite = jck_data_load_suite(options);
    jck_exit status = JCK_EXIT_USAGE;
    const jck_profile *profile = suite == NULL ? NULL : jck_data_profile(options, suite, NULL);
    if (profile != NULL && options->rules && options->json) {
        status = list_rules_json(suite);
    } else if (profile != NULL && options->rules) {
        list_rules(suite);
        status = JCK_EXIT_CONFORMANT;
    } else if (profile != NULL) {
        status = list_selected(options, suite, profile);
    }
    jck_suite_free(suite);
    return status;
}
