// The sections of a run in the HTML report.
#include "harness/report/html_run.h"

#define TEXT_BYTES 1200

void jck_html_heading(jrpc_buffer *out, char section, size_t run, const char *title,
                      const char *lead)
{
    jck_html_str(out, "<section>\n<h2 id=\"");
    jck_html_anchor(out, 's', run, jrpc_slice_of(&section, 1));
    (void)jrpc_buffer_printf(out, "\">%s</h2>\n<p class=\"lead\">%s</p>\n", title, lead);
}

jck_standing jck_html_worst(const jck_html_rule *rule)
{
    for (int i = JCK_STANDING_DEAD; i > JCK_STANDING_UNTESTED; i--) {
        if (rule->counts[i] > 0) {
            return (jck_standing)i;
        }
    }
    return JCK_STANDING_UNTESTED;
}

static size_t broken_cases(const jck_html_rule *rule)
{
    return rule->counts[JCK_STANDING_SHOULD] + rule->counts[JCK_STANDING_MUST] +
           rule->counts[JCK_STANDING_DEAD];
}

static size_t judged_cases(const jck_html_rule *rule)
{
    return broken_cases(rule) + rule->counts[JCK_STANDING_KEPT] + rule->counts[JCK_STANDING_OPEN];
}

void jck_html_list_cases(jrpc_buffer *out, const jck_html_run *run, const jck_html_rule *rule,
                         bool broken)
{
    size_t reported = 0;
    for (const jck_html_mention *at = rule->first; at != NULL; at = at->next) {
        if ((at->standing >= JCK_STANDING_SHOULD) != broken) {
            continue;
        }
        jck_html_str(out, reported++ == 0 ? "<ul class=\"cases\">" : "");
        jck_html_str(out, "<li><a href=\"#");
        jck_html_anchor(out, 'c', run->style.run, at->entry->id);
        jck_html_str(out, "\">");
        jck_html_short(out, at->entry->id, 200);
        jck_html_str(out, "</a>");
        if (at->entry->outcome != JCK_OUTCOME_FAIL && at->entry->outcome != JCK_OUTCOME_PASS) {
            (void)jrpc_buffer_printf(out, " <span class=\"soft\">%s</span>",
                                     jck_outcome_name(at->entry->outcome));
        }
        jck_html_str(out, "</li>\n");
    }
    jck_html_str(out, reported > 0 ? "</ul>\n" : "");
}

static void write_standing(jrpc_buffer *out, jck_standing standing)
{
    static const char *const tags[] = {
        "<span class=\"tag\">untested</span>",     "<span class=\"tag pass\">kept</span>",
        "<span class=\"tag observe\">open</span>", "<span class=\"tag should\">SHOULD</span>",
        "<span class=\"tag must\">MUST</span>",    "<span class=\"tag crash\">CRASH, HANG</span>",
    };
    jck_html_str(out, tags[standing]);
}

static void write_rule(jrpc_buffer *out, const jck_html_run *run, const jck_ruling *ruling)
{
    const jck_html_rule *rule = &run->rules[ruling->index];
    jck_standing worst = jck_html_worst(rule);
    static const char *const kinds[] = {"none", "pass", "observe", "warn", "fail", "fail"};
    (void)jrpc_buffer_printf(out, "<details class=\"rule\" data-is=\"%s\" id=\"", kinds[worst]);
    jck_html_anchor(out, 'r', run->style.run, ruling->id);
    jck_html_str(out, "\"><summary>");
    write_standing(out, worst);
    jck_html_str(out, "<span class=\"id\">");
    jck_html_short(out, ruling->id, 200);
    jck_html_str(out, "</span><span class=\"n\">");
    (void)jrpc_buffer_printf(out, "%zu of %zu", broken_cases(rule), judged_cases(rule));
    jck_html_str(out, "</span><span class=\"t\">");
    jck_html_short(out, ruling->sentence.len > 0 ? ruling->sentence : ruling->title, TEXT_BYTES);
    jck_html_str(out, "</span></summary>\n<div class=\"in\">\n");
    if (ruling->title.len > 0) {
        jck_html_str(out, "<p class=\"soft\">");
        jck_html_level(out, ruling->level);
        jck_html_str(out, " Section ");
        jck_html_short(out, ruling->section, 200);
        jck_html_str(out, ": ");
        jck_html_short(out, ruling->title, TEXT_BYTES);
        jck_html_str(out, "</p>\n");
    }
    jck_html_list_cases(out, run, rule, true);
    if (broken_cases(rule) > 0 && rule->counts[JCK_STANDING_KEPT] > 0) {
        jck_html_str(out, "<p class=\"soft\">Kept, open or not judged in</p>\n");
    }
    jck_html_list_cases(out, run, rule, false);
    jck_html_str(out, "</div></details>\n");
}

static void tools(jrpc_buffer *out, const char *what, const char *const *kinds)
{
    (void)jrpc_buffer_printf(out,
                             "<div class=\"tools\" hidden><input type=\"search\" "
                             "placeholder=\"Search %s\" aria-label=\"Search %s\">\n",
                             what, what);
    for (; kinds[0] != NULL; kinds += 2) {
        (void)jrpc_buffer_printf(out,
                                 "<button type=\"button\" data-show=\"%s\" "
                                 "aria-pressed=\"false\">%s</button>\n",
                                 kinds[0], kinds[1]);
    }
    jck_html_str(out, "<button type=\"button\" data-open=\"1\">Open all</button></div>\n");
}

bool jck_html_rules_write(jrpc_buffer *out, const jck_html_run *run)
{
    static const char *const kinds[] = {"fail",    "MUST broken", "warn", "SHOULD broken",
                                        "observe", "open",        "pass", "kept",
                                        "none",    "untested",    NULL};
    jck_ruling **rules = jck_rulebook_sorted(&run->book);
    if (rules == NULL) {
        return false;
    }
    jck_html_heading(out, 'r', run->style.run, "Every rule",
                     "Each sentence that a case tests. The numbers: cases that show it broken, of "
                     "cases that judged it.");
    jck_html_str(out, "<div data-filter>\n");
    tools(out, "rules", kinds);
    for (size_t i = 0; i < run->book.count; i++) {
        write_rule(out, run, rules[i]);
    }
    (void)jrpc_buffer_printf(out, "<p class=\"none\"%s>No such rule.</p>\n</div>\n</section>\n",
                             run->book.count > 0 ? " hidden" : "");
    return true;
}

static bool same_group(const jck_html_entry *a, const jck_html_entry *b)
{
    return jrpc_slice_equal(a->suite, b->suite) && jrpc_slice_equal(a->section, b->section);
}

// The first unwritten entry of the next group: suites in order of appearance, sections by number.
static jck_html_entry *next_group(const jck_html_run *run)
{
    jck_html_entry *found = NULL;
    for (jck_html_entry *entry = run->first; entry != NULL; entry = entry->next) {
        if (!entry->written &&
            (found == NULL || (jrpc_slice_equal(entry->suite, found->suite) &&
                               jck_natural_order(entry->section, found->section) < 0))) {
            found = entry;
        }
    }
    return found;
}

void jck_html_cases_write(jrpc_buffer *out, jck_html_run *run)
{
    static const char *const kinds[] = {"fail",   "failed",     "dead", "crashed, hung", "warn",
                                        "warned", "observe",    "open", "pass",          "passed",
                                        "none",   "not judged", NULL};
    jck_html_heading(
        out, 'c', run->style.run, "Every case",
        "What was sent (\xe2\x86\x92) and what came back (\xe2\x86\x90), byte for byte. Bytes "
        "that are not UTF-8 and invisible characters are escaped and marked.");
    jck_html_str(out, "<div data-filter>\n");
    tools(out, "cases and rules", kinds);
    for (jck_html_entry *of = next_group(run); of != NULL; of = next_group(run)) {
        jck_html_str(out, "<div data-group>\n<h3>");
        jck_html_short(out, of->suite, 200);
        jck_html_str(out, of->section.len > 0 ? ", section " : "");
        jck_html_short(out, of->section, 200);
        jck_html_str(out, "</h3>\n");
        const jck_html_entry like = *of;
        for (jck_html_entry *entry = of; entry != NULL; entry = entry->next) {
            if (!entry->written && same_group(entry, &like)) {
                entry->written = true;
                (void)jrpc_buffer_append(out,
                                         jrpc_slice_of(run->cases.ptr + entry->at, entry->len));
            }
        }
        jck_html_str(out, "</div>\n");
    }
    (void)jrpc_buffer_printf(out, "<p class=\"none\"%s>No such case.</p>\n</div>\n</section>\n",
                             run->first != NULL ? " hidden" : "");
}

void jck_html_open_write(jrpc_buffer *out, const jck_page *page, const jck_html_run *run)
{
    const jck_group *seen = page->tally.observations.first;
    jck_html_heading(
        out, 'o', run->style.run, "What the specification leaves open",
        "No answer is wrong here. What this target chose, by the name of the observation.");
    if (seen == NULL) {
        jck_html_str(out, "<p class=\"none\">Nothing was recorded.</p>\n</section>\n");
        return;
    }
    jck_html_str(out,
                 "<div class=\"scroll flat\"><table><thead><tr><th>Question</th><th>Answer</th>"
                 "<th class=\"n\">Cases</th><th>For example</th></tr></thead><tbody>\n");
    for (; seen != NULL; seen = seen->next) {
        const jck_ruling *ruling = jck_rulebook_find(&run->book, seen->name);
        jck_html_str(out, "<tr><th><code>");
        jck_html_short(out, seen->name, 200);
        jck_html_str(out, "</code>");
        if (ruling != NULL) {
            jck_html_str(out, " <span class=\"soft\">");
            jck_html_short(out, ruling->title.len > 0 ? ruling->title : ruling->sentence,
                           TEXT_BYTES);
            jck_html_str(out, "</span>");
        }
        jck_html_str(out, "</th><td>");
        jck_html_sentence(out, seen->value, TEXT_BYTES);
        (void)jrpc_buffer_printf(out, "</td><td class=\"n\">%zu</td><td><a href=\"#", seen->count);
        jck_html_anchor(out, 'c', run->style.run, seen->example);
        jck_html_str(out, "\"><code>");
        jck_html_short(out, seen->example, 200);
        jck_html_str(out, "</code></a></td></tr>\n");
    }
    jck_html_str(out, "</tbody></table></div>\n</section>\n");
}

static void write_reasons(jrpc_buffer *out, const jck_groups *groups, const char *before,
                          const char *behind)
{
    for (const jck_group *group = groups->first; group != NULL; group = group->next) {
        (void)jrpc_buffer_printf(out, "<tr><td class=\"n\">%zu</td><td>%s", group->count, before);
        jck_html_sentence(out, group->name, TEXT_BYTES);
        (void)jrpc_buffer_printf(out, "%s</td></tr>\n", behind);
    }
}

void jck_html_unjudged_write(jrpc_buffer *out, const jck_page *page)
{
    const jck_tally *tally = &page->tally;
    if (tally->counts[JCK_OUTCOME_SKIP] + tally->counts[JCK_OUTCOME_BLOCKED] == 0) {
        return;
    }
    jck_html_heading(out, 'u', page->runs, "What was not judged",
                     "Cases that need something the target lacks, and cases that depend on a rule "
                     "that is broken and reported once.");
    jck_html_str(out, "<div class=\"scroll flat\"><table><thead><tr><th class=\"n\">Cases</th><th>"
                      "Why</th></tr></thead><tbody>\n");
    write_reasons(out, &tally->blocking, "Depend on <code>",
                  "</code>, which is broken, or whose case crashed");
    write_reasons(out, &tally->capabilities, "Need a method that was not named: <code>--method ",
                  "=NAME</code>");
    write_reasons(out, &tally->reasons, "", "");
    jck_html_str(out, "</tbody></table></div>\n</section>\n");
}
