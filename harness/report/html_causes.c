// The section of what is broken in the HTML report: the causes, in the order and wording of all
// reports, each with its smallest example and the cases that show it.
#include "harness/report/exhibit.h"
#include "harness/report/html_run.h"
#include "harness/report/words.h"

#define MESSAGE_BYTES ((size_t)1000)

static const char *tag_of(const jck_cause *cause)
{
    return cause->outcome >= JCK_OUTCOME_STUCK ? "crash"
           : cause->level == JCK_LEVEL_MUST    ? "must"
                                               : "should";
}

static void begin_line(jrpc_buffer *out, const char *label)
{
    (void)jrpc_buffer_printf(out, "<div><dt>%s</dt><dd><code>", label);
}

static void end_line(jrpc_buffer *out)
{
    jck_html_str(out, "</code></dd></div>\n");
}

static void write_exhibit(jrpc_buffer *out, const jck_html_run *run, const jck_cause *cause,
                          const jck_exhibit *exhibit)
{
    jck_html_str(out, "<dl class=\"exhibit\">\n");
    begin_line(out, "sent");
    jck_append_sent(out, JCK_SAFE_HTML_BYTES, exhibit, MESSAGE_BYTES);
    end_line(out);
    begin_line(out, "came");
    jck_append_came(out, JCK_SAFE_HTML_BYTES, cause, exhibit, MESSAGE_BYTES);
    end_line(out);
    if (exhibit->expected_count > 0) {
        begin_line(out, "expected");
        jck_append_expected(out, JCK_SAFE_HTML_BYTES, cause, exhibit, MESSAGE_BYTES);
        end_line(out);
    } else if (exhibit->text.len > 0) {
        begin_line(out, "wrong");
        jck_html_sentence(out, exhibit->text, MESSAGE_BYTES);
        end_line(out);
    }
    size_t before = out->len;
    begin_line(out, "repeat");
    if (run->style.start != NULL &&
        jck_append_repro(out, JCK_SAFE_HTML, run->style.start, exhibit->id, exhibit->after)) {
        end_line(out);
    } else {
        jrpc_buffer_truncate(out, before);
    }
    jck_html_str(out, "</dl>\n");
}

// The cases with an outcome; those of a rule are in the rulebook.
static void list_outcome(jrpc_buffer *out, const jck_html_run *run, jck_outcome outcome)
{
    jck_html_str(out, "<ul class=\"cases\">");
    for (const jck_html_entry *entry = run->first; entry != NULL; entry = entry->next) {
        if (entry->outcome == outcome) {
            jck_html_str(out, "<li><a href=\"#");
            jck_html_anchor(out, 'c', run->style.run, entry->id);
            jck_html_str(out, "\">");
            jck_html_short(out, entry->id, 200);
            jck_html_str(out, "</a></li>\n");
        }
    }
    jck_html_str(out, "</ul>\n");
}

static void write_cause(jrpc_buffer *out, const jck_html_run *run, const jck_cause *cause)
{
    (void)jrpc_buffer_printf(out,
                             "<details class=\"\" data-is=\"%s\"><summary><span class=\"tag "
                             "%s\">%s</span><span class=\"id\">",
                             cause->level == JCK_LEVEL_MUST ? "fail" : "warn", tag_of(cause),
                             jck_cause_word(cause));
    jck_html_short(out, cause->rule, 200);
    jck_html_str(out, "</span><span class=\"n\">");
    jck_append_cause_counts(out, cause);
    jck_html_str(out, "</span><span class=\"t\">");
    jck_append_cause_sentence(out, JCK_SAFE_HTML, cause);
    jck_html_str(out, "</span></summary>\n<div class=\"in\">\n");
    for (size_t i = 0; i < cause->exhibit_count; i++) {
        write_exhibit(out, run, cause, &cause->exhibits[i]);
    }
    const jck_ruling *ruling = jck_rulebook_find(&run->book, cause->rule);
    if (ruling != NULL && cause->outcome == JCK_OUTCOME_FAIL) {
        jck_html_list_cases(out, run, &run->rules[ruling->index], true);
    } else {
        list_outcome(out, run, cause->outcome);
    }
    jck_html_str(out, "</div></details>\n");
}

void jck_html_causes_write(jrpc_buffer *out, const jck_page *page, const jck_html_run *run)
{
    const jck_causes *causes = &page->tally.causes;
    jck_html_heading(
        out, 'b', run->style.run, "What is broken",
        "Worst first; within a level, rules that others depend on come first. Open a line for its "
        "smallest example.");
    jck_html_str(out, "<div>\n");
    for (const jck_cause *cause = causes->first; cause != NULL; cause = cause->next) {
        write_cause(out, run, cause);
    }
    (void)jrpc_buffer_printf(out,
                             "<p class=\"none\"%s>Nothing: no finding in any case.</p>\n"
                             "</div>\n</section>\n",
                             causes->first != NULL ? " hidden" : "");
}
