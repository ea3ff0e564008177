// The end of a run on the console: the verdict first, then what it rests on.
#include "harness/report/console.h"

// Lines of one list; the rest is counted.
#define LIST_LINES 12

// Rules that SHOULD hold and what the specification leaves open fill less room than what is broken.
static void tell_more(jck_page *page, size_t groups, size_t shown)
{
    if (groups > shown) {
        (void)jrpc_buffer_printf(&page->text, "  … and %zu more\n", groups - shown);
    }
}

// "2 cases, e.g. batch/empty-array" in a column of its own, behind `used` characters.
static void tell_cases(jck_page *page, const jck_group *group, size_t used)
{
    enum { COLUMN = 20 };
    (void)jrpc_buffer_printf(&page->text, "%*s%zu case%s ",
                             used < COLUMN ? (int)(COLUMN - used) : 1, "", group->count,
                             group->count == 1 ? ":" : "s, e.g.");
    jck_page_safe(page, JCK_SAFE_PLAIN, group->example);
    jck_page_str(page, group->unexpected == 0 ? "  (in the baseline)\n" : "\n");
}

static void tell_outcomes(jck_page *page)
{
    for (const jck_group *group = page->tally.outcomes.first; group != NULL; group = group->next) {
        jck_page_str(page, "  ");
        jck_page_safe(page, JCK_SAFE_PLAIN, group->name);
        tell_cases(page, group, 2 + group->name.len);
    }
}

// "  MUST    J2-6d   2 cases, e.g. batch/empty-array", and the rule's sentence.
static void tell_rule(jck_page *page, const jck_group *rule)
{
    bool must = rule->level == JCK_LEVEL_MUST;
    jck_page_str(page, "  ");
    jck_console_paint(page, must ? JCK_PAINT_BAD : JCK_PAINT_DOUBTFUL, must ? "MUST  " : "SHOULD");
    jck_page_str(page, "  ");
    jck_page_safe(page, JCK_SAFE_PLAIN, rule->name);
    tell_cases(page, rule, 10 + rule->name.len);
    if (rule->value.len > 0) {
        jck_page_str(page, "          ");
        jck_page_safe(page, JCK_SAFE_PLAIN, rule->value);
        jck_page_str(page, "\n");
    }
}

static void tell_broken(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    if (tally->rules.count + tally->outcomes.count == 0) {
        return;
    }
    jck_page_str(page, "Broken:\n");
    tell_outcomes(page);
    size_t shown = 0;
    for (const jck_group *rule = tally->rules.first; rule != NULL; rule = rule->next) {
        // Every MUST is shown, however many there are.
        if (rule->level == JCK_LEVEL_MUST || shown < LIST_LINES || page->options.verbose) {
            tell_rule(page, rule);
            shown++;
        }
    }
    tell_more(page, tally->rules.count, shown);
}

// "Skipped: 12" and, for each reason, how often; the mappings that would unlock most come first.
static void tell_skipped(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    size_t skipped = tally->counts[JCK_OUTCOME_SKIP];
    if (skipped == 0) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text, "Skipped: %zu\n", skipped);
    const jck_group *capability = tally->capabilities.first;
    if (capability != NULL) {
        (void)jrpc_buffer_printf(&page->text, "  %zu for want of methods: --method ",
                                 tally->capabilities.cases);
        jck_page_safe(page, JCK_SAFE_PLAIN, capability->name);
        (void)jrpc_buffer_printf(&page->text, "=NAME would unlock %zu", capability->count);
        size_t named = 1;
        for (capability = capability->next; capability != NULL && named < LIST_LINES; named++) {
            jck_page_str(page, named == 1 ? "; " : ", ");
            jck_page_safe(page, JCK_SAFE_PLAIN, capability->name);
            (void)jrpc_buffer_printf(&page->text, " %zu", capability->count);
            capability = capability->next;
        }
        jck_page_str(page, capability == NULL ? "\n" : ", …\n");
    }
    size_t shown = 0;
    for (const jck_group *reason = tally->reasons.first; reason != NULL && shown < LIST_LINES;
         reason = reason->next) {
        (void)jrpc_buffer_printf(&page->text, "  %zu ", reason->count);
        jck_page_safe(page, JCK_SAFE_PLAIN, reason->name);
        jck_page_str(page, "\n");
        shown++;
    }
    tell_more(page, tally->reasons.count, shown);
}

static void tell_blocked(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    if (tally->counts[JCK_OUTCOME_BLOCKED] == 0) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text, "Blocked: %zu", tally->counts[JCK_OUTCOME_BLOCKED]);
    for (const jck_group *rule = tally->blocking.first; rule != NULL; rule = rule->next) {
        (void)jrpc_buffer_printf(&page->text, "%s%zu stand%s on ",
                                 rule == tally->blocking.first ? " (" : ", ", rule->count,
                                 rule->count == 1 ? "s" : "");
        jck_page_safe(page, JCK_SAFE_PLAIN, rule->name);
    }
    jck_page_str(page, ", broken already)\n");
}

static void tell_observed(jck_page *page)
{
    const jck_groups *groups = &page->tally.observations;
    if (groups->count == 0) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text, "Observed: %zu choice%s recorded%s\n", groups->count,
                             groups->count == 1 ? "" : "s",
                             page->options.verbose ? "" : " (--verbose shows them)");
    for (const jck_group *seen = groups->first; page->options.verbose && seen != NULL;
         seen = seen->next) {
        jck_page_str(page, "  ");
        jck_page_safe(page, JCK_SAFE_PLAIN, seen->name);
        jck_page_str(page, " = ");
        jck_page_safe(page, JCK_SAFE_PLAIN, seen->value);
        (void)jrpc_buffer_printf(&page->text, " (%zu)\n", seen->count);
    }
}

static void tell_verdict(jck_page *page)
{
    jrpc_buffer line;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), page->text.maximum);
    jck_tally_verdict(&page->tally, JCK_SAFE_PLAIN, &line);
    (void)jrpc_buffer_append_char(&line, '\0');
    page->text.failed = page->text.failed || line.failed;
    if (!line.failed) {
        jck_console_paint(page, jck_tally_conformant(&page->tally) ? JCK_PAINT_GOOD : JCK_PAINT_BAD,
                          line.ptr);
        jck_page_str(page, "\n");
    }
    jrpc_buffer_done(&line);
}

void jck_console_summary(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    if (page->options.quiet) {
        tell_verdict(page);
        return;
    }
    jck_page_str(page, "\n");
    tell_verdict(page);
    jck_tally_counts(tally, &page->text);
    if (tally->finished) {
        jck_page_str(page, "; ");
        jck_append_duration(&page->text, tally->finish.duration_us);
    }
    jck_page_str(page, "\n");
    tell_broken(page);
    tell_skipped(page);
    tell_blocked(page);
    tell_observed(page);
}
