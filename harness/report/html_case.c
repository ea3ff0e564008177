#include "harness/report/html_case.h"

#include "harness/report/words.h"

#include <inttypes.h>

#define TEXT_BYTES 1200
#define STDERR_LINES 14
#define STDERR_BYTES 300

// How much of an exchange is shown: a passing case needs less room than a failing one.
typedef struct allowance {
    size_t messages;
    size_t bytes;
} allowance;

static allowance allowance_of(jck_outcome outcome)
{
    static const allowance little = {6, 240};
    static const allowance much = {24, 2000};
    return outcome == JCK_OUTCOME_PASS || outcome == JCK_OUTCOME_OBSERVE ? little : much;
}

// The groups that the buttons above the cases select.
static const char *kind_of(jck_outcome outcome)
{
    switch (outcome) {
    case JCK_OUTCOME_STUCK:
    case JCK_OUTCOME_HANG:
    case JCK_OUTCOME_CRASH:
        return "dead";
    case JCK_OUTCOME_SKIP:
    case JCK_OUTCOME_BLOCKED:
    case JCK_OUTCOME_ERROR:
        return "none";
    case JCK_OUTCOME_ENDED:
        return "warn";
    case JCK_OUTCOME_PASS:
    case JCK_OUTCOME_OBSERVE:
    case JCK_OUTCOME_WARN:
    case JCK_OUTCOME_FAIL:
        break;
    }
    return jck_outcome_name(outcome);
}

// A rule without a name has no anchor in the document.
static void link_to_rule(jrpc_buffer *out, const jck_html_case_style *style, jrpc_slice rule)
{
    if (rule.len == 0) {
        jck_html_str(out, "<code></code>");
        return;
    }
    jck_html_str(out, "<a href=\"#");
    jck_html_anchor(out, 'r', style->run, rule);
    jck_html_str(out, "\"><code>");
    jck_html_short(out, rule, TEXT_BYTES);
    jck_html_str(out, "</code></a>");
}

static void head(jrpc_buffer *out, const jck_html_case_style *style,
                 const jck_reading_case *test_case)
{
    const char *outcome = jck_outcome_name(test_case->outcome);
    (void)jrpc_buffer_printf(out, "<details class=\"%s\" data-is=\"%s\" id=\"", outcome,
                             kind_of(test_case->outcome));
    jck_html_anchor(out, 'c', style->run, test_case->id);
    jck_html_str(out, "\" data-rules=\"");
    for (size_t i = 0; i < test_case->rule_count && i < 16; i++) {
        jck_html_short(out, test_case->rules[i], 64);
        jck_html_str(out, " ");
    }
    jck_html_str(out, "\"><summary>");
    jck_html_outcome(out, test_case->outcome);
    jck_html_str(out, "<span class=\"id\">");
    jck_html_short(out, test_case->id, TEXT_BYTES);
    jck_html_str(out, "</span><span class=\"t\">");
    jck_html_short(out, test_case->title, TEXT_BYTES);
    if (test_case->expected) {
        jck_html_str(out, " <span class=\"tag\">in the baseline</span>");
    }
    jck_html_str(out, "</span><span class=\"n\">");
    if (test_case->duration_us >= 0) {
        jck_append_duration(out, test_case->duration_us);
    }
    jck_html_str(out, "</span></summary>\n<div class=\"in\">\n");
}

static void findings(jrpc_buffer *out, const jck_html_case_style *style,
                     const jck_reading_case *test_case)
{
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        (void)jrpc_buffer_printf(out, "<div class=\"finding%s\"><p>",
                                 finding->known ? " known" : "");
        jck_html_level(out, finding->level);
        jck_html_str(out, " ");
        link_to_rule(out, style, finding->rule);
        jck_html_str(out, " ");
        jck_html_short(out, finding->sentence, TEXT_BYTES);
        jck_html_str(out, "</p><p class=\"got\">");
        jck_html_sentence(out, finding->text, TEXT_BYTES);
        jck_html_str(out, finding->known ? " (reported before)</p></div>\n" : "</p></div>\n");
    }
    for (size_t i = 0; i < test_case->observation_count; i++) {
        jck_html_str(out, "<p><span class=\"tag observe\">OPEN</span> <code>");
        jck_html_short(out, test_case->observations[i].name, TEXT_BYTES);
        jck_html_str(out, "</code> ");
        jck_html_sentence(out, test_case->observations[i].value, TEXT_BYTES);
        jck_html_str(out, "</p>\n");
    }
}

static void messages(jrpc_buffer *out, const jck_reading_case *test_case)
{
    allowance allowed = allowance_of(test_case->outcome);
    size_t own = 0;
    for (size_t i = 0; i < test_case->message_count; i++) {
        const jck_reading_message *message = &test_case->messages[i];
        if (!jck_is_of_case(message)) {
            continue;
        }
        if (own++ >= allowed.messages) {
            continue;
        }
        jck_html_str(out, own == 1 ? "<ol class=\"x\">" : "");
        (void)jrpc_buffer_printf(out, "<li class=\"%c\">", message->sent ? 's' : 'r');
        jck_html_bytes(out, message->bytes, allowed.bytes, message->true_len);
        if (message->role.len > 0) {
            jck_html_str(out, " <small>");
            jck_html_short(out, message->role, TEXT_BYTES);
            jck_html_str(out, "</small>");
        }
        jck_html_str(out, "</li>");
    }
    size_t left_out = test_case->left_out + (own > allowed.messages ? own - allowed.messages : 0);
    jck_html_str(out, own > 0 ? "</ol>\n" : "");
    if (left_out > 0) {
        (void)jrpc_buffer_printf(out, "<p class=\"soft\">… and %zu more messages.</p>\n", left_out);
    }
}

static void error_output(jrpc_buffer *out, jrpc_slice text)
{
    size_t lines = 0;
    jrpc_slice line;
    for (jrpc_slice rest = text; jrpc_slice_take_line(&rest, &line);) {
        lines++;
    }
    size_t at = 0;
    for (jrpc_slice rest = text; jrpc_slice_take_line(&rest, &line); at++) {
        if (at + STDERR_LINES >= lines) {
            jck_html_str(out, at == 0 || at + STDERR_LINES == lines
                                  ? "<p class=\"soft\">The end of its stderr</p><ol "
                                    "class=\"x err\">"
                                  : "");
            jck_html_str(out, "<li>");
            jck_html_bytes(out, line, STDERR_BYTES, line.len);
            jck_html_str(out, "</li>");
        }
    }
    jck_html_str(out, lines > 0 ? "</ol>\n" : "");
}

static void exchange(jrpc_buffer *out, jck_html_case_style *style,
                     const jck_reading_case *test_case)
{
    if (style->evidence >= JCK_HTML_EVIDENCE_BYTES) {
        if (test_case->message_count > 0) {
            style->capped = true;
            jck_html_str(out, "<p class=\"soft\">The bytes are left out: this report has shown "
                              "its " JCK_HTML_EVIDENCE_WORDS " of them. The stream has all.</p>\n");
        }
        return;
    }
    size_t before = out->len;
    messages(out, test_case);
    error_output(out, test_case->error_output);
    style->evidence += out->len - before;
}

static void ending(jrpc_buffer *out, const jck_reading_case *test_case)
{
    size_t before = out->len;
    jck_html_str(out, "<p>In the end ");
    size_t opened = out->len;
    jck_append_end(out, JCK_SAFE_HTML, test_case);
    if (out->len == opened) {
        jrpc_buffer_truncate(out, before);
    } else {
        jck_html_str(out, ".</p>\n");
    }
}

static void report_repeat_line(jrpc_buffer *out, const jck_reading_start *start,
                               const jck_reading_case *test_case)
{
    size_t before = out->len;
    jck_html_str(out, "<p class=\"again\"><code>");
    if (jck_append_repro(out, JCK_SAFE_HTML, start, test_case->id, test_case->after)) {
        jck_html_str(out, "</code></p>\n");
    } else {
        jrpc_buffer_truncate(out, before);
    }
}

void jck_html_case(jrpc_buffer *out, jck_html_case_style *style, const jck_reading_case *test_case)
{
    head(out, style, test_case);
    if (test_case->reason.len > 0) {
        jck_html_str(out, "<p>");
        jck_html_sentence(out, test_case->reason, TEXT_BYTES);
        jck_html_str(out, "</p>\n");
    }
    findings(out, style, test_case);
    exchange(out, style, test_case);
    ending(out, test_case);
    if (test_case->finding_count == 0 && test_case->rule_count > 0) {
        jck_html_str(out, "<p class=\"soft\">Tests ");
        for (size_t i = 0; i < test_case->rule_count && i < 16; i++) {
            jck_html_str(out, i == 0 ? "" : ", ");
            link_to_rule(out, style, test_case->rules[i]);
        }
        jck_html_str(out, "</p>\n");
    }
    if (style->start != NULL && test_case->duration_us >= 0) {
        report_repeat_line(out, style->start, test_case);
    }
    jck_html_str(out, "</div></details>\n");
}
