// Markdown for the summary page of a CI job: the verdict, what is broken, the failures folded.
#include "harness/report/exhibit.h"
#include "harness/report/formats.h"
#include "harness/report/page.h"
#include "harness/report/words.h"
#include "reference/base/plural.h"

// A job's summary holds 1 MiB: the bytes of this many failures are shown, and the names of the
// rest.
#define FAILURES_SHOWN 50
#define MESSAGE_BYTES 400
// Causes that are shown with an example.
#define EXAMPLES_SHOWN 30
#define LIST_LINES 12

typedef struct markdown {
    jrpc_buffer failures; // Markdown; written after the verdict, which is known last
    size_t failure_count;
} markdown;

static void safe(jck_page *page, jrpc_slice text)
{
    jck_page_safe(page, JCK_SAFE_MARKDOWN, text);
}

// A name in code type. Character references work inside <code>, unlike between backticks.
static void code(jck_page *page, jrpc_slice text)
{
    jck_page_str(page, "<code>");
    safe(page, text);
    jck_page_str(page, "</code>");
}

static bool begin(jck_page *page)
{
    markdown *own = page->own;
    jrpc_buffer_done(&own->failures);
    jrpc_buffer_init(&own->failures, jrpc_allocator_heap(), page->text.maximum);
    own->failure_count = 0;
    return true;
}

// <pre> instead of a fence: its content is escaped, so nothing in it can end it.
static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    static const jck_details how = {
        .place = JCK_SAFE_MARKDOWN, .before = "", .behind = "\n", .message_bytes = MESSAGE_BYTES};
    markdown *own = page->own;
    bool breach = jck_reading_is_breach(test_case, page->tally.start.strict);
    if (test_case->ground || test_case->expected || !breach) {
        return true;
    }
    jrpc_buffer *out = &own->failures;
    bool shown = own->failure_count++ < FAILURES_SHOWN;
    (void)jrpc_buffer_printf(out, "%s<b>%s</b> <code>", shown ? "<details><summary>" : "- ",
                             jck_outcome_name(test_case->outcome));
    (void)jck_safe_append(out, JCK_SAFE_MARKDOWN, test_case->id);
    (void)jrpc_buffer_append_str(out, "</code> ");
    (void)jck_safe_append(out, JCK_SAFE_MARKDOWN, test_case->title);
    if (shown) {
        (void)jrpc_buffer_append_str(out, "</summary>\n<pre>");
        jck_append_details(out, &how, test_case);
        (void)jrpc_buffer_append_str(out, "</pre>\n</details>\n\n");
    } else {
        (void)jrpc_buffer_append_str(out, "\n");
    }
    return !out->failed;
}

static void write_exhibit(jck_page *page, const jck_cause *cause, const jck_exhibit *exhibit)
{
    jrpc_buffer *out = &page->text;
    jck_page_str(page, "<pre>sent      ");
    jck_append_sent(out, JCK_SAFE_MARKDOWN, exhibit, MESSAGE_BYTES);
    jck_page_str(page, "\ncame      ");
    jck_append_came(out, JCK_SAFE_MARKDOWN, cause, exhibit, MESSAGE_BYTES);
    if (exhibit->expected_count > 0) {
        jck_page_str(page, "\nexpected  ");
        jck_append_expected(out, JCK_SAFE_MARKDOWN, cause, exhibit, MESSAGE_BYTES);
    } else if (exhibit->text.len > 0) {
        jck_page_str(page, "\nwrong     ");
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_MARKDOWN, exhibit->text, SIZE_MAX);
    }
    jck_page_str(page, "\n");
    jck_append_repeat(out, JCK_SAFE_MARKDOWN, &page->tally.start, exhibit);
    jck_page_str(page, "</pre>\n\n");
}

// What is broken, in the order and wording of all reports: a paragraph each, with its smallest
// example.
static void write_causes(jck_page *page)
{
    jrpc_buffer *out = &page->text;
    const jck_cause *cause = page->tally.causes.first;
    if (cause == NULL) {
        return;
    }
    jck_page_str(page, "\n### What is broken\n\n");
    for (size_t shown = 0; cause != NULL; cause = cause->next, shown++) {
        (void)jrpc_buffer_printf(out, "<b>%s</b> ", jck_cause_word(cause));
        if (cause->rule.len > 0) {
            code(page, cause->rule);
            jck_page_str(page, " ");
        }
        jck_append_cause_counts(out, cause);
        jck_page_str(page, ": ");
        jck_append_cause_sentence(out, JCK_SAFE_MARKDOWN, cause);
        jck_page_str(page, "\n\n");
        if (shown < EXAMPLES_SHOWN && cause->exhibit_count > 0) {
            write_exhibit(page, cause, &cause->exhibits[0]);
        }
    }
}

static void write_list(jck_page *page, const jck_groups *groups, const char *before,
                       const char *behind)
{
    size_t shown = 0;
    for (const jck_group *group = groups->first; group != NULL && shown < LIST_LINES;
         group = group->next) {
        (void)jrpc_buffer_printf(&page->text, "- %zu: %s", group->count, before);
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_MARKDOWN, group->name, SIZE_MAX);
        (void)jrpc_buffer_printf(&page->text, "%s\n", behind);
        shown++;
    }
    if (groups->count > shown) {
        size_t more = groups->count - shown;
        (void)jrpc_buffer_printf(&page->text, "- … and %zu more reason%s\n", more,
                                 jrpc_plural(more));
    }
}

static void write_not_judged(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    size_t skipped = tally->counts[JCK_OUTCOME_SKIP];
    size_t blocked = tally->counts[JCK_OUTCOME_BLOCKED];
    if (skipped + blocked == 0) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text, "\n### Not judged: %zu\n\n", skipped + blocked);
    write_list(page, &tally->capabilities, "a method that was not named: <code>--method ",
               "=NAME</code>");
    write_list(page, &tally->reasons, "", "");
    write_list(page, &tally->blocking, "they depend on ",
               ", which is broken, or whose case crashed");
}

static bool end(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    markdown *own = page->own;
    jck_page_str(page, page->runs > 1 ? "\n## jrpcheck: " : "## jrpcheck: ");
    code(page, tally->start.target);
    jck_page_str(page, "\n\n**");
    jck_tally_verdict(tally, JCK_SAFE_MARKDOWN, &page->text);
    jck_page_str(page, "**\n\n");
    jck_tally_counts(tally, &page->text);
    if (tally->finished) {
        jck_page_str(page, "; ");
        jck_append_duration(&page->text, tally->finish.duration_us);
    }
    jck_page_str(page, "; profile ");
    code(page, tally->start.profile);
    jck_page_str(page, ", seed ");
    code(page, tally->start.seed);
    jck_page_str(page, "\n");
    size_t before = page->text.len;
    jck_page_str(page, "\nCommand: <code>");
    if (jck_append_command(&page->text, JCK_SAFE_MARKDOWN, &tally->start)) {
        jck_page_str(page, "</code>\n");
    } else {
        jrpc_buffer_truncate(&page->text, before);
    }
    jck_append_likeness(&page->text, JCK_SAFE_MARKDOWN, &tally->start, "\n", "\n");
    jck_append_hint(&page->text, JCK_SAFE_MARKDOWN, &tally->finish, "\n", "\n");
    write_causes(page);
    if (own->failure_count > 0) {
        (void)jrpc_buffer_printf(&page->text, "\n### Every failure: %zu\n\n", own->failure_count);
        (void)jrpc_buffer_append(&page->text, jrpc_buffer_slice(&own->failures));
    }
    write_not_judged(page);
    return true;
}

static bool finish(jck_page *page)
{
    jrpc_buffer_done(&((markdown *)page->own)->failures);
    return true;
}

static const jck_page_style style = {.own_size = sizeof(markdown),
                                     .begin = begin,
                                     .test_case = report_case,
                                     .end = end,
                                     .close = finish};

static void *open_markdown(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_markdown = {
    .name = "markdown",
    .summary = "Markdown, for the summary page of a CI job",
    .open = open_markdown,
    .event = jck_page_event,
    .close = jck_page_close,
};
